/// The owner of running effects: a child, within its parent, up to the store.
///
/// The scopes of a store form one tree, which contains only scopes with running effects. A scope is
/// added with a child's first effect and removed with its last one; if the child is removed before
/// its effects end, ``end(isLate:)`` cancels them and those of its children.
///
/// Used only on the store's actor, except for ``outermost(as:)``.
@usableFromInline
package final class EffectScope: @unchecked Sendable {
  private(set) var parent: EffectScope?
  private let id: ScopeID?
  /// The scope right below the store's own; `nil` for that one.
  private let outermostID: ScopeID?
  private var children: [ScopePlace: [ScopeElement: EffectScope]] = [:]
  /// The editions of the collections whose elements have scopes here.
  private var seen: [ScopePlace: Int] = [:]
  private(set) var effects: [Int: ActiveEffect] = [:]
  private var byID: [AnySendableHashable: [Int: ActiveEffect]] = [:]
  var throttles: [AnySendableHashable: Throttle] = [:]
  /// How many actions wait to be reduced, and effects are being started, that belong to it.
  private var uses = 0
  /// Whether what it stands for is gone.
  private(set) var isEnded = false

  /// The scope of a whole store.
  init() {
    id = nil
    outermostID = nil
  }

  private init(_ id: ScopeID, in parent: EffectScope) {
    self.id = id
    self.parent = parent
    outermostID = parent.outermostID ?? id
  }

  /// Whether no effect of a child runs.
  var hasNoChildren: Bool { children.isEmpty }

  /// What the outermost scope inside the store is named, if its name is of the type.
  ///
  /// Reads constants alone, so that a signal handler may ask.
  package func outermost<Name: Hashable>(as type: Name.Type) -> Name? {
    guard case .identified(let name)? = outermostID?.element else { return nil }
    return name.base.base as? Name
  }

  // MARK: The tree

  /// The scope inside this one; `nil` if nothing in it runs.
  func child(_ place: ScopePlace, _ element: ScopeElement) -> EffectScope? {
    children[place]?[element]
  }

  /// The scope inside this one, added where it is not there.
  func addingChild(_ id: ScopeID) -> EffectScope {
    if let known = children[id.place]?[id.element] { return known }
    let child = EffectScope(id, in: self)
    children[id.place, default: [:]][id.element] = child
    return child
  }

  /// Removes the scope, and its ancestors, from the tree if they are empty.
  func leaveTreeIfEmpty() {
    var scope = self
    while scope.isEmpty, let id = scope.id, let parent = scope.parent {
      parent.remove(id)
      scope.parent = nil
      scope = parent
    }
  }

  private var isEmpty: Bool {
    effects.isEmpty && children.isEmpty && throttles.isEmpty && uses == 0
  }

  private func remove(_ id: ScopeID) {
    children[id.place]?[id.element] = nil
    guard children[id.place]?.isEmpty == true else { return }
    children[id.place] = nil
    seen[id.place] = nil
  }

  /// Whether the collection at a place is the one that was seen last, or nothing of it runs.
  func hasSeen(_ edition: Int, at place: ScopePlace) -> Bool {
    guard children[place] != nil, seen[place] != edition else { return true }
    seen[place] = edition
    return false
  }

  /// The scopes at a place.
  func children(at place: ScopePlace) -> [ScopeElement: EffectScope] { children[place] ?? [:] }

  /// All effects in it and in the scopes within, in the order in which they began.
  ///
  /// - Complexity: O(n log n) in how many there are.
  var allEffects: [ActiveEffect] { allEffects { Array($0.effects.values) } }

  /// What `part` finds in it and in each of the scopes within, in the order in which they began.
  func allEffects(_ part: (EffectScope) -> [ActiveEffect]) -> [ActiveEffect] {
    var found: [ActiveEffect] = []
    var scopes = [self]
    while let scope = scopes.popLast() {
      found += part(scope)
      for place in scope.children.values { scopes += place.values }
    }
    return found.sorted { $0.id < $1.id }
  }

  // MARK: What runs in it

  func add(_ effect: ActiveEffect) { effects[effect.id] = effect }

  func remove(_ effect: ActiveEffect) { effects[effect.id] = nil }

  func add(_ effect: ActiveEffect, cancelledBy id: AnySendableHashable) {
    byID[id, default: [:]][effect.id] = effect
  }

  func remove(_ effect: ActiveEffect, cancelledBy id: AnySendableHashable) {
    byID[id]?[effect.id] = nil
    if byID[id]?.isEmpty == true { byID[id] = nil }
  }

  func effects(cancelledBy id: AnySendableHashable) -> [ActiveEffect] {
    guard let found = byID[id] else { return [] }
    return found.values.sorted { $0.id < $1.id }
  }

  /// Keeps it in the tree until ``endUse()``.
  func beginUse() { uses += 1 }

  func endUse() {
    uses -= 1
    leaveTreeIfEmpty()
  }

  /// Takes it and all scopes within out of the tree.
  ///
  /// - Returns: the effects that were in them, in the order in which they began.
  /// - Complexity: O(n log n) in the effects, however deep the scopes are nested.
  func end() -> [ActiveEffect] {
    let ended = allEffects
    var scopes = [self]
    while let scope = scopes.popLast() {
      scope.isEnded = scope.id != nil
      for place in scope.children.values { scopes += place.values }
      scope.children = [:]
      scope.throttles = [:]
      guard let id = scope.id else { continue }
      scope.parent?.remove(id)
      scope.parent = nil
    }
    return ended
  }
}
