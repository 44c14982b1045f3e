internal import Synchronization

/// The current reducer's position in the tree of running effects.
///
/// A store sets it for an action while effects of children run; otherwise there is nothing to
/// cancel. An operator consults it before it runs a child: if another child has taken that one's
/// place since the last action, the old child's effects are cancelled, and none of their actions
/// reaches the new child.
@usableFromInline
package final class EffectCursor: @unchecked Sendable {
  // Unchecked: used while a reducer runs, on its store's actor.
  @TaskLocal private static var bound: EffectCursor?
  /// The number of stores in the process that are reducing with a cursor, or explicitly without
  /// one.
  private static let count = Atomic(0)

  /// The cursor of the action that is being reduced; `nil` while no effects of children run.
  ///
  /// Every operator reads it, and usually no store has set one. The counter is checked first
  /// because reading a task local takes some 30 ns.
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
  /// The scope of the effect that sent the action; `nil` if no effect did.
  private let origin: EffectScope?
  private let end: (EffectScope) -> Void
  private var depth = 0
  /// The children that were reduced, each within the one before; `nil` if they are not recorded.
  private(set) var trail: [ScopeID]?

  init(
    _ scope: EffectScope, origin: EffectScope?, recordsTrail: Bool = false,
    end: @escaping (EffectScope) -> Void
  ) {
    self.scope = scope
    self.origin = origin
    self.end = end
    trail = recordsTrail ? [] : nil
  }

  /// Cancels the effects of children that have left a place.
  ///
  /// - Returns: whether the action came from one of these children and must be dropped.
  @usableFromInline
  func endEffects(at place: ScopePlace, unless isPresent: (ScopeElement) -> Bool) -> Bool {
    guard let scope else { return false }
    let hadEnded = originHasEnded
    for (element, child) in scope.children(at: place) where !isPresent(element) { end(child) }
    return originHasEnded && !hadEnded
  }

  /// Cancels the effects of elements that are no longer in a collection.
  ///
  /// - Parameters:
  ///   - place: where the collection is.
  ///   - edition: the collection's edition, which changes when elements are removed.
  ///   - isPresent: whether an element is still there.
  /// - Returns: whether the action came from one of these elements and must be dropped.
  /// - Complexity: O(1) if the edition is the one that was last seen.
  @usableFromInline
  func endEffects(
    at place: ScopePlace, edition: Int,
    unless isPresent: @autoclosure () -> (ScopeElement) -> Bool
  ) -> Bool {
    guard let scope, !scope.hasSeen(edition, at: place) else { return false }
    return endEffects(at: place, unless: isPresent())
  }

  /// Whether the child whose effect sent the action has been removed since.
  @usableFromInline
  var originHasEnded: Bool { origin?.isEnded ?? false }

  /// Moves to a child, which is reduced next.
  ///
  /// - Returns: the parent's scope, to be passed to ``ascend(to:)``.
  @usableFromInline
  func descend(to place: ScopePlace, _ element: ScopeElement) -> EffectScope? {
    let outer = scope
    if trail?.count == depth { trail?.append(ScopeID(place, element)) }
    depth += 1
    scope = outer.flatMap { $0.hasNoChildren ? nil : $0.child(place, element) }
    return outer
  }

  /// Moves back to the parent.
  @usableFromInline
  func ascend(to outer: EffectScope?) {
    scope = outer
    depth -= 1
  }
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
