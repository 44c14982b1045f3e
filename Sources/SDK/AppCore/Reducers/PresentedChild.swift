/// What `ifLet` does for a child that is presented.
///
/// Children are nested deep, and each level has its place on the stack: so there are few functions
/// here, and few closures. Nor is anything retained in them, which would take longer than the rest.
@usableFromInline
final class PresentedChild<State, Action: Sendable, Child, ChildAction: Sendable>:
  PresentedPart<State, Child>
{
  @usableFromInline let action: CasePath<Action, PresentationAction<ChildAction>>
  @usableFromInline let run: Assembly<Child, ChildAction>.Step
  @usableFromInline let parent: Assembly<State, Action>.Step
  @usableFromInline let site: OperatorSite
  @usableFromInline let boundary = ActionBoundary<ChildAction>()
  /// Finds the child's actions where they are in boxes.
  @usableFromInline let unboxing: Unboxing?
  @usableFromInline let identifier = PresentationIdentifier<Child>()
  /// Whether nothing but its number tells one child from another.
  @usableFromInline let isPlain: Bool
  /// Whether each of the children goes once it has been answered.
  @usableFromInline let goesWhenAnswered: Bool
  private let scopes: ChildScopes

  @usableFromInline
  init(
    _ state: WritableKeyPath<State, PresentationState<Child>>,
    _ action: CasePath<Action, PresentationAction<ChildAction>>,
    _ run: Assembly<Child, ChildAction>.Step, _ parent: Assembly<State, Action>.Step,
    _ site: OperatorSite
  ) {
    self.action = action
    self.run = run
    self.parent = parent
    self.site = site
    unboxing = action.locator?.unboxing
    isPlain = identifier.isPlain
    goesWhenAnswered = identifier.isEphemeral(nil)
    scopes = ChildScopes(state)
    super.init(state)
  }

  /// What an action was to the child.
  @usableFromInline
  enum Answer {
    case reduced
    /// The child is to go.
    case dismissal
    case absent
    /// Too little stack is left.
    case dropped
    case unrelated
  }

  @inlinable
  func reduce(
    _ root: UnsafeMutableRawPointer, _ rootAction: UnsafeRawPointer,
    _ result: UnsafeMutableRawPointer
  ) {
    let effect = result.initializeMemory(as: Effect<Action>.self, to: .none)
    let before = number(at: root)
    let own = isPlain || before == 0 ? nil : own(at: root, by: identifier)
    var answer = Answer.unrelated
    if let unboxing {
      if let presentation = unboxing.payload(at: rootAction) {
        answer = reduceChild(at: presentation, in: root, before, own, effect)
      }
    } else {
      answer =
        action.borrow(at: rootAction) { reduceChild(at: $0, in: root, before, own, effect) }
        ?? .unrelated
    }
    if answer == .dropped { return }
    if answer == .absent || (answer == .dismissal && before == 0) {
      reportAbsent(rootAction, isDismissal: answer == .dismissal)
    }
    if effect.pointee.isNone {
      parent.raw(root, rootAction, result)
    } else {
      let parentEffect = parent(at: root, rootAction)
      if !parentEffect.isNone { effect.pointee = effect.pointee.merge(with: parentEffect) }
    }
    if before == 0 { return }
    let goes =
      answer == .dismissal
      || (answer == .reduced && (isPlain ? goesWhenAnswered : identifier.isEphemeral(own)))
    let isSame =
      number(at: root) == before && (isPlain || self.own(at: root, by: identifier) == own)
    if goes || !isSame { end(before, own, at: root, dismissing: isSame, effect) }
  }

  /// Has the child answer the presentation's action at `presentation`.
  @inlinable
  func reduceChild(
    at presentation: UnsafeRawPointer, in root: UnsafeMutableRawPointer,
    _ number: Int, _ own: PresentationID.Own?,
    _ effect: UnsafeMutablePointer<Effect<Action>>
  ) -> Answer {
    if case .dismiss = presentation.assumingMemoryBound(to: PresentationAction<ChildAction>.self)
      .pointee
    {
      return .dismissal
    }
    // Of an enum with one payload, this is what the bytes are.
    let childAction = presentation
    if boundary.isDelegate(at: childAction) { return .reduced }
    guard site.hasStack(for: Child.self) else { return .dropped }
    guard number != 0 else { return .absent }
    let childEffect: Effect<ChildAction>
    if let child = child(at: root) {
      childEffect = run(at: child, childAction)
    } else {
      var presentation = takeOut(at: root)
      guard let child = presentation.child else { return .absent }
      childEffect = run(at: child, childAction)
      putBack(presentation, at: root)
    }
    if !childEffect.isNone { effect.pointee = embedded(childEffect, number, own) }
    return .reduced
  }

  @usableFromInline
  func embedded(
    _ effect: Effect<ChildAction>, _ number: Int, _ own: PresentationID.Own?
  ) -> Effect<Action> {
    effect.presented(action, in: scopes.scope(PresentationID(number: number, own: own)))
  }

  /// Ends the effects of the child that was there, and lets go of it where it still is.
  @usableFromInline
  func end(
    _ number: Int, _ own: PresentationID.Own?,
    at root: UnsafeMutableRawPointer, dismissing: Bool,
    _ effect: UnsafeMutablePointer<Effect<Action>>
  ) {
    if dismissing {
      root.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath] =
        PresentationState(wrappedValue: nil)
    }
    let scope = scopes.scope(PresentationID(number: number, own: own))
    effect.pointee = effect.pointee.ending([scope])
  }

  @usableFromInline
  func reportAbsent(_ action: UnsafeRawPointer, isDismissal: Bool) {
    site.reportAbsentChild(
      isDismissal
        ? "a child was to be dismissed that is not presented"
        : "an action came for a child that is not presented",
      action: action.assumingMemoryBound(to: Action.self).pointee)
  }
}
