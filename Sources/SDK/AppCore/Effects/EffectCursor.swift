/// The current reducer's position in the tree of running effects.
///
/// A store sets it for an action while effects of children run; otherwise there is nothing to
/// cancel. An operator consults it before it runs a child: if another child has taken that one's
/// place since the last action, the old child's effects are cancelled, and none of their actions
/// reaches the new child.
final class EffectCursor {
  private var scope: EffectScope?
  /// The scope of the effect that sent the action; `nil` if no effect did.
  private let origin: EffectScope?
  /// That effect, if it runs: a `.send` effect does not.
  private let sender: ActiveEffect?
  private let runner: EffectRunner
  private var depth = 0
  /// The children that were reduced, each within the one before; `nil` if they are not recorded.
  private(set) var trail: [ScopeID]?

  /// - Parameters:
  ///   - runner: the store's.
  ///   - context: the circumstances of the effect that sent the action; `nil` if no effect did.
  ///   - recordsTrail: whether ``trail`` is recorded.
  init(_ runner: EffectRunner, _ context: EffectContext?, recordsTrail: Bool = false) {
    scope = runner.scope
    self.runner = runner
    origin = context?.scope
    sender = context?.effect
    trail = recordsTrail ? [] : nil
  }

  /// Cancels the effects of children that have left a place.
  ///
  /// - Returns: whether the action came from a running effect of one of them and must be dropped. That
  ///   of a `.send` effect was emitted before the child left, and is for its parent all the same.
  /// - Complexity: O(1) for a collection whose elements are those that were last seen.
  func endEffects<State>(
    in state: State, _ children: ChildPlace<State>, _ present: PresentChildren
  ) -> Bool {
    guard let scope else { return false }
    switch present {
    case .one: break
    case .many, .stack:
      let hasSeen = scope.hasSeen(present, at: children.place) { children.keepsAll(state, $0) }
      if hasSeen { return false }
    }
    let scopes = scope.children(at: children.place)
    guard !scopes.isEmpty else { return false }
    let wasCancelled = sender?.isCancelled
    let isPresent = children.contains(state)
    for (element, child) in scopes where !isPresent(element) { runner.end(child) }
    return sender?.isCancelled != wasCancelled
  }

  /// Whether the action came from a child of the current reducer, or from within one, that has been
  /// removed since.
  var originHasEnded: Bool { origin?.endedDepth.map { $0 <= depth + 1 } ?? false }

  /// Moves to a child, which is reduced next.
  ///
  /// - Returns: the parent's scope, to be passed to ``ascend(to:)``.
  func descend(to id: ScopeID) -> EffectScope? {
    let outer = scope
    if trail?.count == depth { trail?.append(id) }
    depth += 1
    scope = outer.flatMap { $0.hasNoChildren ? nil : $0.child(id.place, id.element) }
    return outer
  }

  /// Moves to a scope that the host has given effects, which is not a child's.
  ///
  /// - Returns: the scope around it, to be passed to ``leave(to:)``.
  func enter(_ id: ScopeID) -> EffectScope? {
    let outer = scope
    scope = outer?.child(id.place, id.element)
    return outer
  }

  /// Moves back from a scope of the host.
  func leave(to outer: EffectScope?) { scope = outer }

  /// Moves back to the parent.
  func ascend(to outer: EffectScope?) {
    scope = outer
    depth -= 1
  }
}
