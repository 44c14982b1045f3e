/// A ``Shared`` or a ``SharedReader``.
protocol SharedValueHolder {
  var root: any AnySharedReference { get }
}

extension Shared: SharedValueHolder {
  var root: any AnySharedReference { source.root }
}

extension SharedReader: SharedValueHolder {
  var root: any AnySharedReference { shared.root }
}

/// Finds the shared values in a state, by reflection.
struct SharedValueHolders {
  private let includesObjects: Bool
  /// A state may be deep, or larger than anybody wants to wait for.
  private var left = 100_000
  /// Whether values of a type may hold shared ones.
  private var known: [ObjectIdentifier: Bool] = [:]

  /// Finds a shared value.
  ///
  /// - Parameters:
  ///   - state: the state.
  ///   - includesObjects: whether the properties of objects are looked through, too.
  ///   - isFound: called with each shared value, until it returns `true`.
  /// - Returns: whether it did.
  /// - Complexity: O(*n*), where *n* is the number of values in the state, up to 100,000; those of a
  ///   type that can't hold shared ones, such as an array of strings, count as one.
  @discardableResult
  static func contain(
    in state: Any, orItsObjects includesObjects: Bool = false,
    where isFound: (any SharedValueHolder) -> Bool
  ) -> Bool {
    var holders = SharedValueHolders(includesObjects: includesObjects)
    return holders.contain(state, depth: 0, isFound)
  }

  private mutating func contain(
    _ value: Any, depth: Int, _ isFound: (any SharedValueHolder) -> Bool
  ) -> Bool {
    left -= 1
    guard depth < 128, left > 0, mayBe(in: type(of: value)) else { return false }
    if let holder = value as? any SharedValueHolder, isFound(holder) { return true }
    let mirror = Mirror(reflecting: value)
    guard includesObjects || mirror.displayStyle != .class else { return false }
    for child in mirror.children
    where contain(child.value, depth: depth + 1, isFound) {
      return true
    }
    return false
  }

  private init(includesObjects: Bool) { self.includesObjects = includesObjects }

  /// Whether values of a type may hold shared ones; `false` only if that is certain.
  private mutating func mayBe(in type: Any.Type) -> Bool {
    if let known = known[ObjectIdentifier(type)] { return known }
    // A type that contains itself is looked through.
    known[ObjectIdentifier(type)] = true
    let may = parts(of: type).map { $0.contains { mayBe(in: $0) } } ?? true
    known[ObjectIdentifier(type)] = may
    return may
  }

  /// The types of the values in a value of a type; `nil` if they are unknown.
  private func parts(of type: Any.Type) -> [Any.Type]? {
    func isPlain<T>(_ type: T.Type) -> Bool { _isPOD(type) }
    if type is any SharedValueHolder.Type || type == FieldRecords.Unresolved.self { return nil }
    if type == String.self || _openExistential(type, do: isPlain) { return [] }
    if let type = type as? any ValueContainer.Type { return type.contentTypes }
    if let tuple = TupleMetadata(type) { return tuple.elements.map(\.type) }
    guard EnumMetadata.isEnum(type) || StructMetadata.propertyCount(type) != nil,
      let records = FieldRecords(type)
    else { return nil }
    return (0..<records.count).compactMap { records.type($0) }
  }
}

/// A type whose stored properties do not tell what it contains.
private protocol ValueContainer {
  static var contentTypes: [Any.Type] { get }
}

extension Array: ValueContainer {
  fileprivate static var contentTypes: [Any.Type] { [Element.self] }
}

extension Set: ValueContainer {
  fileprivate static var contentTypes: [Any.Type] { [Element.self] }
}

extension Dictionary: ValueContainer {
  fileprivate static var contentTypes: [Any.Type] { [Key.self, Value.self] }
}

extension IdentifiedArray: ValueContainer {
  fileprivate static var contentTypes: [Any.Type] { [Element.self] }
}

extension StackState: ValueContainer {
  fileprivate static var contentTypes: [Any.Type] { [Element.self] }
}

extension PresentationState: ValueContainer {
  fileprivate static var contentTypes: [Any.Type] { [State.self] }
}

extension Boxed: ValueContainer {
  fileprivate static var contentTypes: [Any.Type] { [Value.self] }
}
