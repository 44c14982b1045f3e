/// Names the effects of one child of a reducer.
///
/// An object, made of few words: a name is made each time that a child's effect is, or a child goes,
/// and is hashed only where effects run.
@usableFromInline
final class ChildScope: Hashable, Sendable {
  /// Which one of the children that stand at one place.
  enum Element: Hashable, Sendable {
    case only
    case identified(AnySendableHashable)
    /// By the stack as well: the one that takes its place gives the same identifiers anew.
    case onStack(StackElementID, origin: Int)
    case presented(PresentationID)
  }
  private let place: ChildScopes.Place
  private let element: Element

  fileprivate init(_ place: ChildScopes.Place, _ element: Element) {
    self.place = place
    self.element = element
  }

  @usableFromInline
  static func == (left: ChildScope, right: ChildScope) -> Bool {
    left.element == right.element && left.place == right.place
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(place)
    hasher.combine(element)
  }
}

/// Names the effects of the children that stand at one place.
@usableFromInline
struct ChildScopes: Sendable {
  fileprivate final class Place: Hashable, Sendable {
    private let name: AnySendableHashable
    private let hash: Int

    init(_ name: AnySendableHashable) {
      self.name = name
      hash = name.hashValue
    }

    static func == (left: Place, right: Place) -> Bool {
      left === right || (left.hash == right.hash && left.name == right.name)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }
  private let place: Place

  /// - Parameter path: where the children stand in their parent's state.
  @usableFromInline
  init(_ path: AnyKeyPath) { self.init(named: path) }

  /// - Parameter name: what tells the children from those of other operators.
  init(named name: some Hashable) { place = Place(AnySendableHashable(name)) }

  /// The scope of the one child there is.
  @usableFromInline
  var only: EffectID { EffectID(ChildScope(place, .only)) }

  /// The scope of an element of an identified collection.
  func scope(identified id: some Hashable & Sendable) -> EffectID {
    EffectID(ChildScope(place, .identified(AnySendableHashable(id))))
  }

  /// The scope of an element of the stack that came from `origin`.
  @usableFromInline
  func scope(_ id: StackElementID, origin: Int) -> EffectID {
    EffectID(ChildScope(place, .onStack(id, origin: origin)))
  }

  /// The scope of one presentation.
  @usableFromInline
  func scope(_ id: PresentationID) -> EffectID { EffectID(ChildScope(place, .presented(id))) }
}

/// A hashable value that may cross between threads.
@usableFromInline
struct AnySendableHashable: Hashable, @unchecked Sendable {
  // Unchecked: what goes in are identifiers and key paths, which are constants.
  private let base: AnyHashable
  init(_ base: some Hashable) { self.base = AnyHashable(base) }
}
