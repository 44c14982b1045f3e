/// The owner of running effects: a child, within its parent, up to the store.
///
/// The scopes of a store form one tree, which contains only scopes with running effects. A scope is
/// added with a child's first effect and removed with its last one; if the child is removed before
/// its effects end, ``end()`` cancels them and those of its children.
///
/// Used only on the store's actor, except for ``outermost(as:)``.
final class EffectScope: @unchecked Sendable {
  private final class Tree {
    /// The number of scopes that belong to children of reducers.
    var childCount = 0
  }
  private let tree: Tree
  private(set) var parent: EffectScope?
  private let id: ScopeID?
  /// The outermost scope around this one, directly inside the store's; `nil` for the store's own.
  private let outermostID: ScopeID?
  private var children: [ScopePlace: [ScopeElement: EffectScope]] = [:]
  /// What was last seen of the collections whose elements have scopes here.
  private var seen: [ScopePlace: PresentChildren] = [:]
  private(set) var effects: [Int: ActiveEffect] = [:]
  private var byID: [AnySendableHashable: [Int: ActiveEffect]] = [:]
  var throttles: [AnySendableHashable: Throttle] = [:]
  /// The number of its actions that are queued, plus that of its operations being performed.
  private var uses = 0
  /// The depth of the child that was removed: its own, or one that it is within; `nil` if none was.
  private(set) var endedDepth: Int?

  /// The scope of a whole store.
  init() {
    tree = Tree()
    id = nil
    outermostID = nil
  }

  private init(_ id: ScopeID, in parent: EffectScope) {
    self.id = id
    self.parent = parent
    outermostID = parent.outermostID ?? id
    tree = parent.tree
    if !id.isNamed { tree.childCount += 1 }
  }

  /// Whether its child was removed.
  var isEnded: Bool { endedDepth != nil }

  /// The number of children of reducers that it is within, with its own; instances of a graph don't
  /// count.
  private var depth: Int {
    var depth = 0
    var scope = self
    while let id = scope.id, let parent = scope.parent {
      if !id.isNamed { depth += 1 }
      scope = parent
    }
    return depth
  }

  /// Whether it has no scopes inside.
  var hasNoChildren: Bool { children.isEmpty }

  /// Whether effects of a reducer's children run anywhere in the store; instances of a graph are
  /// none.
  var treeHasChildren: Bool { tree.childCount > 0 }

  /// The name of the outermost scope around this one, directly inside the store's; `nil` if it has
  /// no name of the given type.
  ///
  /// It reads only constants, so a signal handler may call it.
  func outermost<Name: Hashable>(as type: Name.Type) -> Name? {
    guard case .identified(let name)? = outermostID?.element else { return nil }
    return name.base.base as? Name
  }

  // MARK: The tree

  /// The scope of a child; `nil` if none of its effects run.
  func child(_ place: ScopePlace, _ element: ScopeElement) -> EffectScope? {
    children[place]?[element]
  }

  /// The scope of a child, added if it does not exist.
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
      scope.leave(parent, id)
      scope = parent
    }
  }

  private var isEmpty: Bool {
    effects.isEmpty && children.isEmpty && throttles.isEmpty && uses == 0
  }

  private func leave(_ parent: EffectScope, _ id: ScopeID) {
    parent.remove(id)
    self.parent = nil
    if !id.isNamed { tree.childCount -= 1 }
  }

  private func remove(_ id: ScopeID) {
    children[id.place]?[id.element] = nil
    guard children[id.place]?.isEmpty == true else { return }
    children[id.place] = nil
    seen[id.place] = nil
  }

  /// Whether no child has left a place since it was last seen, or no effects run there.
  func hasSeen(
    _ present: PresentChildren, at place: ScopePlace, keepsAll: (PresentChildren) -> Bool
  ) -> Bool {
    guard children[place] != nil, seen[place] != present else { return true }
    return seen.updateValue(present, forKey: place).map(keepsAll) ?? false
  }

  /// The scopes at a place.
  func children(at place: ScopePlace) -> [ScopeElement: EffectScope] { children[place] ?? [:] }

  /// All effects in it and in the scopes inside, in the order in which they began.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of effects.
  var allEffects: [ActiveEffect] { allEffects { Array($0.effects.values) } }

  /// The effects that `part` finds in it and in each of the scopes inside, in the order in which
  /// they began.
  func allEffects(_ part: (EffectScope) -> [ActiveEffect]) -> [ActiveEffect] {
    var found: [ActiveEffect] = []
    var scopes = [self]
    while let scope = scopes.popLast() {
      found += part(scope)
      for place in scope.children.values { scopes += place.values }
    }
    return found.sorted { $0.id < $1.id }
  }

  // MARK: Its effects

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

  /// Removes it and all scopes inside from the tree.
  ///
  /// - Returns: the effects that were in them, in the order in which they began.
  /// - Complexity: O(*n* log *n*), where *n* is the number of effects, at any nesting depth.
  func end() -> [ActiveEffect] {
    let ended = allEffects
    let depth = depth
    var scopes = [self]
    while let scope = scopes.popLast() {
      scope.endedDepth = scope.id.map { _ in depth }
      for place in scope.children.values { scopes += place.values }
      scope.children = [:]
      scope.throttles = [:]
      guard let id = scope.id, let parent = scope.parent else { continue }
      scope.leave(parent, id)
    }
    return ended
  }
}
