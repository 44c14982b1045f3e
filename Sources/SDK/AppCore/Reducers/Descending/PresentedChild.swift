/// What `ifLet` does for a child that is presented, in two halves.
///
/// Here is what is done for every action; what is rarer, or depends on the types, is in
/// ``PresentedChildOf``.
@usableFromInline
package class PresentedChild: Descent {
  final let finder: CaseFinder?
  private final let boundary: RawBoundary
  private final let child: Unmanaged<RawStep>
  private final let parent: Unmanaged<RawStep>
  /// Holds what is referred to.
  private final let owned: [RawStep]
  private final let merge: RawMerge
  private final let isDismissal: (UnsafeRawPointer) -> Bool
  /// Whether nothing but its number tells one child from another.
  final let isPlain: Bool
  /// Whether each of the children goes once it has been answered.
  final let goesWhenAnswered: Bool
  /// Where the presentation is in its parent's state, in bytes; -1 where it is computed of something
  /// else, -2 until that is known.
  @exclusivity(unchecked) final var offset: Int

  init(
    finder: CaseFinder?, boundary: RawBoundary, child: RawStep, parent: RawStep, merge: RawMerge,
    isPlain: Bool, goesWhenAnswered: Bool, offset: Int,
    isDismissal: @escaping (UnsafeRawPointer) -> Bool
  ) {
    self.finder = finder
    self.boundary = boundary
    self.child = .passUnretained(child)
    self.parent = .passUnretained(parent)
    owned = [child, parent]
    self.merge = merge
    self.isPlain = isPlain
    self.goesWhenAnswered = goesWhenAnswered
    self.offset = offset
    self.isDismissal = isDismissal
    super.init(noting: PresentedNote.self, leavesAlways: true)
  }

  override final func enter(_ run: inout DescentRun) {
    if offset == -2 { findPlace(in: run.state) }
    let number = number(at: run.state)
    guard let finder else { return enterWithCopy(number, &run) }
    guard let presentation = finder.find(&run) else { return enterParent(number, &run) }
    let note = pushNote(number, &run)
    guard isForChild(presentation, note) else {
      run.next = nil
      return
    }
    guard let state = childState(at: run.state) else {
      run.next = nil
      return answerHere(presentation, note, &run.effect)
    }
    // Of an enum with one payload, this is what the bytes are.
    run.goOn(child, state, presentation)
  }

  /// An action that is not for the child goes to the parent.
  private final func enterParent(_ number: Int, _ run: inout DescentRun) {
    // Where nothing is presented, nothing can go.
    if number != 0 { _ = pushNote(number, &run) }
    run.goOn(parent)
  }

  private final func enterWithCopy(_ number: Int, _ run: inout DescentRun) {
    let isFound = withPresentation(of: run.action) { presentation in
      let note = pushNote(number, &run)
      run.next = nil
      if isForChild(presentation, note) { answerHere(presentation, note, &run.effect) }
    }
    if !isFound { enterParent(number, &run) }
  }

  private final func pushNote(
    _ number: Int, _ run: inout DescentRun
  ) -> UnsafeMutablePointer<PresentedNote> {
    let note = run.push(self).assumingMemoryBound(to: PresentedNote.self)
    note.initialize(to: PresentedNote(state: run.state, action: run.action, number: number))
    if !isPlain, number != 0 { note.pointee.own = own(at: run.state).map { .passRetained($0) } }
    return note
  }

  /// Says what an action is to the child, and whether that is to answer it.
  private final func isForChild(
    _ presentation: UnsafeRawPointer, _ note: UnsafeMutablePointer<PresentedNote>
  ) -> Bool {
    if isDismissal(presentation) {
      note.pointee.answer = .dismissal
      return false
    }
    note.pointee.answer = .reduced
    if boundary.isDelegate(at: presentation) { return false }
    if note.pointee.number == 0 {
      note.pointee.answer = .absent
      return false
    }
    return true
  }

  override final func leave(_ note: UnsafeMutableRawPointer, _ run: inout DescentRun) {
    let note = note.load(as: PresentedNote.self)
    let own = note.own?.takeRetainedValue()
    let (root, answer, before) = (note.state, note.answer, note.number)
    if answer == .dropped { return }
    if answer != .unrelated {
      if run.effect != RawEffect.none { embed(&run.effect, before, own) }
      if answer == .absent || (answer == .dismissal && before == 0) {
        reportAbsent(note.action, isDismissal: answer == .dismissal)
      }
      if run.effect == RawEffect.none {
        parent._withUnsafeGuaranteedRef { $0.run(root, note.action, &run.effect) }
      } else {
        var next = RawEffect.none
        parent._withUnsafeGuaranteedRef { $0.run(root, note.action, &next) }
        merge.join(&run.effect, &next)
      }
    }
    if before == 0 { return }
    let goes =
      answer == .dismissal || (answer == .reduced && (isPlain ? goesWhenAnswered : goes(own)))
    let isSame = number(at: root) == before && (isPlain || self.own(at: root) == own)
    if goes || !isSame { end(before, own, at: root, dismissing: isSame, &run.effect) }
  }

  /// What stays the same while the presentation does; 0 where nothing is presented.
  private final func number(at root: UnsafeMutableRawPointer) -> Int {
    guard offset >= 0 else { return numberOfCopy(at: root) }
    let box = (root + offset).load(as: Optional<Unmanaged<PresentationBoxBase>>.self)
    return box.map { $0._withUnsafeGuaranteedRef { $0.number } } ?? 0
  }

  /// Where the child stands, its box made one that nobody else refers to; `nil` where nothing is
  /// presented or the presentation's place is not known.
  @inline(__always)
  final func childState(at root: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    guard offset >= 0 else { return nil }
    let place = (root + offset).assumingMemoryBound(to: Optional<PresentationBoxBase>.self)
    if !isKnownUniquelyReferenced(&place.pointee) { makeUnique(at: root) }
    let box = UnsafeMutableRawPointer(place).load(
      as: Optional<Unmanaged<PresentationBoxBase>>.self)
    return box.map { $0._withUnsafeGuaranteedRef { $0.start } }
  }

  /// Has the child answer an action at once.
  final func runChild(
    _ state: UnsafeMutableRawPointer, _ action: UnsafeRawPointer,
    _ effect: UnsafeMutableRawPointer
  ) {
    child._withUnsafeGuaranteedRef { $0.run(state, action, effect) }
  }

  // What follows depends on the types.

  /// Finds the presentation's place in its parent's state.
  func findPlace(in root: UnsafeMutableRawPointer) {}
  func numberOfCopy(at root: UnsafeMutableRawPointer) -> Int { 0 }
  func makeUnique(at root: UnsafeMutableRawPointer) {}
  /// What the child says it is; `nil` where nothing but its box tells it from another.
  func own(at root: UnsafeMutableRawPointer) -> PresentedName? { nil }
  /// Whether the child goes once it has been answered.
  func goes(_ own: PresentedName?) -> Bool { false }
  /// Calls `body` with a copy of the presentation's action in an action, and says whether there is
  /// one.
  func withPresentation(of action: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) -> Bool {
    false
  }
  /// Has the child answer an action, where one of them has no lasting place.
  func answerHere(
    _ presentation: UnsafeRawPointer, _ note: UnsafeMutablePointer<PresentedNote>,
    _ effect: UnsafeMutableRawPointer
  ) {}
  /// Makes the child's effect one of its parent's, in place.
  func embed(_ effect: UnsafeMutableRawPointer, _ number: Int, _ own: PresentedName?) {}
  /// Ends the effects of the child that was there, and lets go of it where it still is.
  func end(
    _ number: Int, _ own: PresentedName?, at root: UnsafeMutableRawPointer, dismissing: Bool,
    _ effect: UnsafeMutableRawPointer
  ) {}
  func reportAbsent(_ action: UnsafeRawPointer, isDismissal: Bool) {}
}

/// What ``PresentedChild`` notes on the way down.
struct PresentedNote {
  let state: UnsafeMutableRawPointer
  let action: UnsafeRawPointer
  /// Of the child that was there before; 0 where there was none.
  let number: Int
  var own: Unmanaged<PresentedName>?
  var answer = PresentedAnswer.unrelated
}

/// What a child says it is.
final class PresentedName: Equatable {
  let own: PresentationID.Own
  init(_ own: PresentationID.Own) { self.own = own }

  static func == (left: PresentedName, right: PresentedName) -> Bool { left.own == right.own }
}

/// What an action was to a presented child.
enum PresentedAnswer {
  case reduced
  /// The child is to go.
  case dismissal
  case absent
  /// Too little stack is left.
  case dropped
  case unrelated
}
