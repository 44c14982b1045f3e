/// The way of one action through reducers and the children that they go down to.
@usableFromInline
package struct DescentRun {
  /// What the next reducer is given.
  var state: UnsafeMutableRawPointer
  var action: UnsafeRawPointer
  /// The tag of that action, where the last reducer has read it; else -1.
  var tag = -1
  /// Who goes on; `nil` where there is nobody, and all is done on the way down.
  var next: Unmanaged<RawStep>?
  /// On the way down, the effect of the last reducer before its child's; on the way up, the effect of
  /// the child.
  var effect = RawEffect.none
  var memory: DescentMemory
  private var notes: DescentNotes
  /// Whether there is something to do on the way up, though nobody has an effect.
  private var mustLeave = false

  private init(
    _ state: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, _ notes: DescentNotes,
    _ memory: DescentMemory
  ) {
    self.state = state
    self.action = action
    self.notes = notes
    self.memory = memory
  }

  /// Runs a reducer and those it goes down to.
  ///
  /// - Parameters:
  ///   - first: the reducer's halves.
  ///   - state: its state.
  ///   - action: what it answers to.
  ///   - effect: where its effect goes: memory in which there is nothing yet.
  /// - Complexity: linear in the levels; the stack it takes does not depend on them.
  static func run(
    _ first: Descent, _ state: UnsafeMutableRawPointer, _ action: UnsafeRawPointer,
    _ effect: UnsafeMutableRawPointer
  ) {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { notes in
      withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { bytes in
        var run = DescentRun(state, action, DescentNotes(notes), DescentMemory(bytes))
        run.goDown(.passUnretained(first))
        if run.mustLeave || run.effect != RawEffect.none { run.goUp() }
        effect.storeBytes(of: run.effect, as: Int.self)
        run.notes.free()
        run.memory.free()
      }
    }
  }

  private mutating func goDown(_ first: Unmanaged<Descent>) {
    var descent = first
    while true {
      descent._withUnsafeGuaranteedRef { $0.enter(&self) }
      guard let next else { return }
      let inner = next._withUnsafeGuaranteedRef { step -> Unmanaged<Descent>? in
        if let descent = step.descent { return .passUnretained(descent) }
        step.run(state, action, &effect)
        return nil
      }
      guard let inner else { return }
      descent = inner
    }
  }

  private mutating func goUp() {
    while let descent = notes.popOwner() {
      descent._withUnsafeGuaranteedRef { descent in
        let note = notes.pop(descent.noteSize)
        if effect != RawEffect.none || descent.leavesAlways { descent.leave(note, &self) }
      }
    }
  }

  /// Says that a reducer has something left to do.
  ///
  /// - Returns: where it makes its note: memory in which there is nothing yet, and which stays where
  ///   it is until the next note is made.
  @inline(__always)
  @discardableResult
  mutating func push(_ descent: Descent) -> UnsafeMutableRawPointer {
    if descent.leavesAlways { mustLeave = true }
    return notes.push(descent)
  }

  /// Says who goes on, with the same state and action.
  @inline(__always)
  mutating func goOn(_ next: Unmanaged<RawStep>) { self.next = next }

  /// Says who goes on.
  @inline(__always)
  mutating func goOn(
    _ next: Unmanaged<RawStep>, _ state: UnsafeMutableRawPointer, _ action: UnsafeRawPointer
  ) {
    self.next = next
    self.state = state
    self.action = action
    tag = -1
  }
}
