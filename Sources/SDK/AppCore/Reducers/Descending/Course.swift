/// Reducers over one state that run one after another, their effects merged.
final class Course: Descent {
  /// The last of them that has children: with it the way goes down.
  let target: Unmanaged<RawStep>?
  /// Those before it, or all.
  let before: Unmanaged<RawStep>?
  /// Those after it.
  private let after: RawStep?
  private let merge: RawMerge
  /// Holds what is referred to, so that nothing need be retained for an action.
  private let owned: [RawStep]

  private struct Note {
    let state: UnsafeMutableRawPointer
    let action: UnsafeRawPointer
    /// The effect that there is before the child's.
    var effect: Int
  }

  init(_ steps: [RawStep], _ merge: RawMerge) {
    self.merge = merge
    let last = steps.lastIndex { $0.descent != nil }
    let target = last.map { steps[$0] }
    let end = last ?? steps.count
    let before: RawStep? = end == 0 && last != nil ? nil : .sequence(steps[..<end], merge)
    let rest = last.map { steps[($0 + 1)...] } ?? []
    after = rest.isEmpty ? nil : .sequence(rest, merge)
    owned = [target, before].compactMap(\.self)
    self.target = target.map { .passUnretained($0) }
    self.before = before.map { .passUnretained($0) }
    super.init(noting: Note.self, leavesAlways: true)
  }

  /// All of them as one function.
  var step: RawStep {
    // One alone is what it is, in two halves or not.
    owned.count == 1 && after == nil ? owned[0] : RawStep(self)
  }

  override func enter(_ run: inout DescentRun) {
    if let before {
      before._withUnsafeGuaranteedRef { $0.run(run.state, run.action, &run.effect) }
    }
    guard let target else {
      run.next = nil
      return
    }
    if run.effect != RawEffect.none || after != nil {
      run.push(self).initializeMemory(
        as: Note.self, to: Note(state: run.state, action: run.action, effect: run.effect))
      run.effect = RawEffect.none
    }
    run.goOn(target)
  }

  override func leave(_ note: UnsafeMutableRawPointer, _ run: inout DescentRun) {
    var note = note.load(as: Note.self)
    if note.effect != RawEffect.none {
      merge.join(&note.effect, &run.effect)
      run.effect = note.effect
    }
    guard let after else { return }
    var next = RawEffect.none
    after.run(note.state, note.action, &next)
    merge.join(&run.effect, &next)
  }
}
