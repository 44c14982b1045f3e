/// The part of ``PresentedChild`` that depends on the types.
@usableFromInline
final class PresentedChildOf<State, Action: Sendable, Child, ChildAction: Sendable>: PresentedChild
{
  private let keyPath: WritableKeyPath<State, PresentationState<Child>>
  private let action: CasePath<Action, PresentationAction<ChildAction>>
  private let site: OperatorSite
  private let identifier = PresentationIdentifier<Child>()
  private let scopes: ChildScopes

  @usableFromInline
  init(
    _ state: WritableKeyPath<State, PresentationState<Child>>,
    _ action: CasePath<Action, PresentationAction<ChildAction>>,
    child: Assembly<Child, ChildAction>.Step, parent: Assembly<State, Action>.Step,
    _ site: OperatorSite, isDismissal: @escaping (UnsafeRawPointer) -> Bool
  ) {
    keyPath = state
    self.action = action
    self.site = site
    scopes = ChildScopes(state)
    super.init(
      finder: action.finder, boundary: ActionBoundary<ChildAction>().raw, child: child.raw,
      parent: parent.raw, merge: RawMerge(Action.self), isPlain: identifier.isPlain,
      goesWhenAnswered: identifier.isEphemeral(nil),
      offset: MemoryLayout<State>.offset(of: state) ?? -2, isDismissal: isDismissal)
  }

  private func parent(_ root: UnsafeMutableRawPointer) -> UnsafeMutablePointer<State> {
    root.assumingMemoryBound(to: State.self)
  }

  /// The presentation where it stands; `nil` where that is not known.
  private func place(
    _ root: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<PresentationState<Child>>? {
    offset < 0 ? nil : (root + offset).assumingMemoryBound(to: PresentationState<Child>.self)
  }

  override func findPlace(in root: UnsafeMutableRawPointer) {
    offset = PresentedPlace(keyPath, in: parent(root).pointee).offset
  }

  override func numberOfCopy(at root: UnsafeMutableRawPointer) -> Int {
    parent(root).pointee[keyPath: keyPath].number
  }

  override func makeUnique(at root: UnsafeMutableRawPointer) { place(root)?.pointee.makeUnique() }

  override func own(at root: UnsafeMutableRawPointer) -> PresentedName? {
    let own =
      place(root).map { $0.pointee.own(by: identifier) }
      ?? parent(root).pointee[keyPath: keyPath].own(by: identifier)
    return own.map(PresentedName.init)
  }

  override func goes(_ own: PresentedName?) -> Bool { identifier.isEphemeral(own?.own) }

  override func withPresentation(
    of action: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void
  ) -> Bool {
    let value = action.assumingMemoryBound(to: Action.self).pointee
    guard let presentation = self.action.extract(value) else { return false }
    withUnsafePointer(to: presentation) { body($0) }
    return true
  }

  override func answerHere(
    _ presentation: UnsafeRawPointer, _ note: UnsafeMutablePointer<PresentedNote>,
    _ effect: UnsafeMutableRawPointer
  ) {
    guard site.hasStack(for: Child.self) else {
      note.pointee.answer = .dropped
      return
    }
    let root = note.pointee.state
    if let state = childState(at: root) { return runChild(state, presentation, effect) }
    // Taken out of its place, its box has one owner and is not copied.
    var taken = parent(root).pointee[keyPath: keyPath]
    parent(root).pointee[keyPath: keyPath] = PresentationState(wrappedValue: nil)
    if let state = taken.child {
      runChild(state, presentation, effect)
    } else {
      note.pointee.answer = .absent
    }
    parent(root).pointee[keyPath: keyPath] = taken
  }

  private func scope(_ number: Int, _ own: PresentedName?) -> EffectID {
    scopes.scope(PresentationID(number: number, own: own?.own))
  }

  override func embed(_ effect: UnsafeMutableRawPointer, _ number: Int, _ own: PresentedName?) {
    let childEffect = effect.assumingMemoryBound(to: Effect<ChildAction>.self).move()
    effect.initializeMemory(
      as: Effect<Action>.self, to: childEffect.presented(action, in: scope(number, own)))
  }

  override func end(
    _ number: Int, _ own: PresentedName?, at root: UnsafeMutableRawPointer, dismissing: Bool,
    _ effect: UnsafeMutableRawPointer
  ) {
    if dismissing { parent(root).pointee[keyPath: keyPath] = PresentationState(wrappedValue: nil) }
    let effect = effect.assumingMemoryBound(to: Effect<Action>.self)
    effect.pointee = effect.pointee.ending([scope(number, own)])
  }

  override func reportAbsent(_ action: UnsafeRawPointer, isDismissal: Bool) {
    site.reportAbsentChild(
      isDismissal
        ? "a child was to be dismissed that is not presented"
        : "an action came for a child that is not presented",
      action: action.assumingMemoryBound(to: Action.self).pointee)
  }
}
