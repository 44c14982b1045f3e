internal import Synchronization

/// The current reducer's position in the tree of running effects.
///
/// A store sets it for an action while effects of children run; without it there is nothing to
/// cancel. An operator consults it before it runs a child: if another reducer has replaced that
/// child since the last action, the old child's effects are cancelled, and none of their actions
/// reaches the new child.
@usableFromInline
package final class EffectCursor: @unchecked Sendable {
  // Unchecked: used while a reducer runs, on its store's actor.
  @TaskLocal private static var bound: EffectCursor?
  /// How many stores of the process have set one now.
  private static let count = Atomic(0)

  /// The one of the action that is being reduced; `nil` while no effects of children run.
  ///
  /// Every operator asks for it, and most often no store has set one: so that is asked first, since
  /// reading a task local takes some 30 ns.
  @usableFromInline package static var current: EffectCursor? {
    count.load(ordering: .relaxed) == 0 ? nil : bound
  }

  /// Runs `body` with a cursor, or without one.
  static func withCurrent<Result>(_ cursor: EffectCursor?, _ body: () -> Result) -> Result {
    count.add(1, ordering: .relaxed)
    defer { count.subtract(1, ordering: .relaxed) }
    return $bound.withValue(cursor, operation: body)
  }

  private var scope: EffectScope?
  /// What the effect belongs to that sent the action.
  private let origin: EffectScope?
  private let end: (EffectScope) -> Void

  init(_ scope: EffectScope, origin: EffectScope?, end: @escaping (EffectScope) -> Void) {
    self.scope = scope
    self.origin = origin
    self.end = end
  }

  /// Cancels the effects of children that have left a place.
  ///
  /// - Returns: whether the action came from one of these, and is to be dropped.
  @usableFromInline
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
  @usableFromInline
  func endEffects(
    at place: ScopePlace, edition: Int,
    unless isPresent: @autoclosure () -> (ScopeElement) -> Bool
  ) -> Bool {
    guard let scope, !scope.hasSeen(edition, at: place) else { return false }
    return endEffects(at: place, unless: isPresent())
  }

  /// Whether the action was sent by a child that has gone since.
  @usableFromInline
  var originHasEnded: Bool { origin?.isEnded ?? false }

  /// Moves to a child, which is reduced next.
  ///
  /// - Returns: where ``ascend(to:)`` goes back to.
  @usableFromInline
  func descend(to place: ScopePlace, _ element: ScopeElement) -> EffectScope? {
    let outer = scope
    scope = outer.flatMap { $0.hasNoChildren ? nil : $0.child(place, element) }
    return outer
  }

  /// Moves back to the parent.
  @usableFromInline
  func ascend(to outer: EffectScope?) { scope = outer }
}

extension EffectCursor? {
  /// Runs `body`, which reduces a child.
  @inlinable
  func descend<Result>(
    to place: ScopePlace, _ element: @autoclosure () -> ScopeElement, _ body: () -> Result
  ) -> Result {
    guard let self else { return body() }
    let outer = self.descend(to: place, element())
    defer { self.ascend(to: outer) }
    return body()
  }
}
