/// Names effects so that they can be cancelled.
///
/// An `id` of a feature is its own: another instance's effect with the same id is another effect.
@usableFromInline
package struct EffectID: Hashable, @unchecked Sendable {
  // Unchecked: the only way in takes a Sendable value.
  fileprivate enum Content: Hashable {
    case plain(AnyHashable)
    case nested(NestedScope)
    case child(ChildScope)
  }
  fileprivate let content: Content

  package init(_ id: some Hashable & Sendable) { content = .plain(AnyHashable(id)) }

  fileprivate init(_ scope: NestedScope) { content = .nested(scope) }

  init(_ scope: ChildScope) { content = .child(scope) }

  /// What the outermost scope is called, if that is of the type.
  package func outermost<ID: Hashable>(as type: ID.Type) -> ID? {
    var content = content
    while true {
      switch content {
      case .plain(let id): return id.base as? ID
      case .child: return nil
      case .nested(let scope):
        guard let outer = scope.around else { return nil }
        content = outer.content
      }
    }
  }
}

extension EffectID? {
  /// The scope `id` inside this one.
  ///
  /// - Complexity: constant, however deep this one is.
  func within(_ id: EffectID) -> EffectID {
    guard let self else { return id }
    return EffectID(NestedScope(outer: self, inner: id))
  }
}

/// A scope inside another one.
///
/// Scopes are as deep as children are nested, and every one of them is a key: so the hash is made
/// once, from that of the outer scope, and two of them are compared no further than they differ.
private final class NestedScope: Hashable, @unchecked Sendable {
  // Unchecked: scopes are made and compared on one store's actor only; `outer` is replaced by an
  // equal one there.
  private var outer: EffectID?
  private let inner: EffectID
  private let hash: Int

  init(outer: EffectID, inner: EffectID) {
    self.outer = outer
    self.inner = inner
    var hasher = Hasher()
    hasher.combine(outer)
    hasher.combine(inner)
    hash = hasher.finalize()
  }

  deinit {
    // One after the other: released by each other, they would take stack for every level.
    var next = outer
    outer = nil
    while case .nested(var scope)? = next?.content {
      next = nil
      guard isKnownUniquelyReferenced(&scope) else { return }
      next = scope.outer
      scope.outer = nil
    }
  }

  /// The scope around this one.
  fileprivate var around: EffectID? { outer }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  static func == (left: NestedScope, right: NestedScope) -> Bool {
    var (one, other) = (left, right)
    while one !== other {
      guard one.hash == other.hash, one.inner == other.inner else { return false }
      guard case .nested(let outer)? = one.outer?.content,
        case .nested(let otherOuter)? = other.outer?.content
      else {
        guard one.outer == other.outer else { return false }
        break
      }
      (one, other) = (outer, otherOuter)
    }
    // Equal: from now on they share what is around them, and the next comparison ends there.
    right.outer = left.outer
    return true
  }
}
