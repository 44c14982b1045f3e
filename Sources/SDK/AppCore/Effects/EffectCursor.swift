/// Where in the tree of running effects the reducer is that runs now.
///
/// A store sets it for an action while effects of children run; without it there is nothing to end.
/// An operator asks it before it runs a child: another reducer may have replaced that child since
/// the last action, and then the former one's effects end, and no action of theirs reaches the new
/// one.
package final class EffectCursor: @unchecked Sendable {
  // Unchecked: used while a reducer runs, on its store's actor.
  @TaskLocal package static var current: EffectCursor?

  private var scope: EffectScope?
  /// What the effect belongs to that sent the action.
  private let origin: EffectScope?
  private let end: (EffectScope) -> Void

  init(_ scope: EffectScope, origin: EffectScope?, end: @escaping (EffectScope) -> Void) {
    self.scope = scope
    self.origin = origin
    self.end = end
  }

  /// Ends the effects of children at a place that are no longer there.
  ///
  /// - Returns: whether the action came from one of these, and is to be dropped.
  func endEffects(at place: ScopePlace, unless isPresent: (ScopeElement) -> Bool) -> Bool {
    guard let scope else { return false }
    let hadEnded = originHasEnded
    for (element, child) in scope.children(at: place) where !isPresent(element) { end(child) }
    return originHasEnded && !hadEnded
  }

  /// Ends the effects of elements that are no longer in a collection.
  ///
  /// - Parameters:
  ///   - place: where the collection is.
  ///   - edition: changes when elements go.
  ///   - isPresent: whether an element is still there.
  /// - Returns: whether the action came from one of these, and is to be dropped.
  /// - Complexity: constant, while no element goes.
  func endEffects(
    at place: ScopePlace, edition: Int,
    unless isPresent: @autoclosure () -> (ScopeElement) -> Bool
  ) -> Bool {
    guard let scope, !scope.hasSeen(edition, at: place) else { return false }
    return endEffects(at: place, unless: isPresent())
  }

  /// Whether the action was sent by a child that has gone since.
  var originHasEnded: Bool { origin?.isEnded ?? false }

  /// Runs `body`, which reduces a child.
  func descend<Result>(
    to place: ScopePlace, _ element: @autoclosure () -> ScopeElement, _ body: () -> Result
  ) -> Result {
    guard let outer = scope else { return body() }
    scope = outer.hasNoChildren ? nil : outer.child(place, element())
    defer { scope = outer }
    return body()
  }
}

extension EffectCursor? {
  /// Runs `body`, which reduces a child.
  func descend<Result>(
    to place: ScopePlace, _ element: @autoclosure () -> ScopeElement, _ body: () -> Result
  ) -> Result {
    guard let self else { return body() }
    return self.descend(to: place, element(), body)
  }
}
