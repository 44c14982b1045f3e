/// Identifies a child of a reducer, for its effects: the place in the parent, and the identity
/// there.
@usableFromInline
struct ScopeID: Hashable, Sendable {
  let place: ScopePlace
  let element: ScopeElement

  init(_ place: ScopePlace, _ element: ScopeElement) {
    self.place = place
    self.element = element
  }

  /// The scope of something that is not a child of a reducer, such as an instance of a graph.
  init(named name: some Hashable & Sendable) {
    self.init(.named, .identified(AnySendableHashable(name)))
  }

  /// Whether it is not a child of a reducer.
  var isNamed: Bool { place === ScopePlace.named }
}

/// The place of one operator's children in their parent.
@usableFromInline
final class ScopePlace: Hashable, Sendable {
  fileprivate static let named = ScopePlace(named: "named")

  // Hashed once: while effects of children run, an operator looks up its children for each action.
  private let name: AnySendableHashable
  private let hash: Int

  /// - Parameter path: where the children are in their parent's state.
  @usableFromInline
  convenience init(_ path: AnyKeyPath) { self.init(named: path) }

  /// - Parameter name: distinguishes the children from those of other operators.
  init(named name: some Hashable) {
    self.name = AnySendableHashable(name)
    hash = self.name.hashValue
  }

  @usableFromInline
  static func == (left: ScopePlace, right: ScopePlace) -> Bool {
    left === right || (left.hash == right.hash && left.name == right.name)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// Identifies one of the children at a place.
@usableFromInline
enum ScopeElement: Hashable, Sendable {
  case only
  case identified(AnySendableHashable)
  /// With the number of its push, because another stack may give out the same identifiers.
  case onStack(StackElementID, push: Int)
  case presented(PresentationID)
}

/// A hashable value that may cross between threads.
@usableFromInline
struct AnySendableHashable: Hashable, @unchecked Sendable {
  // Unchecked: it only holds identifiers and key paths, which are constants.
  let base: AnyHashable
  init(_ base: some Hashable) { self.base = AnyHashable(base) }
}
