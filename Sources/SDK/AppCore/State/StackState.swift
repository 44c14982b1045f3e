/// Identifies an element of a ``StackState``; not reused, except by a copy that is assigned again.
///
/// A copy of a stack continues with the numbers that it had when it was made: if it is assigned
/// again, new elements get identifiers that elements pushed in the meantime had. The effects of those
/// are cancelled, so that their actions do not reach the new elements.
@frozen
public struct StackElementID: Hashable, Codable, Sendable {
  @usableFromInline let generation: Int

  @usableFromInline
  init(generation: Int) { self.generation = generation }
}

extension StackElementID: CustomStringConvertible {
  /// The element's number, as in `#3`.
  public var description: String { "#\(generation)" }
}

/// A stack of elements, such as the path of screens inside one feature.
///
/// ```swift
/// struct Page { var title: String }
///
/// var path: StackState<Page> = [Page(title: "Contents")]
/// let id = path.append(Page(title: "Chapter 1"))
/// path.append(Page(title: "Note"))
/// path.pop(to: id)  // Contents, Chapter 1
/// ```
///
/// - Complexity: O(1) for pushing, popping one element and updating by identifier, also in a
///   reducer with `forEach`.
@frozen
public struct StackState<Element> {
  @usableFromInline var elements: [Element] = []
  @usableFromInline var elementIDs: [StackElementID] = []
  /// The number of each element's push.
  ///
  /// It distinguishes the element from others with the same identifier: one that was pushed again,
  /// or one in another stack, whose identifiers also start at 0.
  @usableFromInline var pushes: [Int] = []
  @usableFromInline var positions: [StackElementID: Int] = [:]
  /// Changes when an element is removed, or inserted below another.
  @usableFromInline var removal = UniqueNumber.next()
  @usableFromInline var next = 0

  public init() {}

  /// Creates a stack, from the bottom up.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// The identifiers, from the bottom up.
  public var ids: [StackElementID] { elementIDs }

  /// The identifier that the next element gets.
  @inlinable public var nextID: StackElementID { StackElementID(generation: next) }

  /// Whether there is an element with the identifier.
  @inlinable
  public func contains(_ id: StackElementID) -> Bool { position(of: id) != nil }

  /// The position of the element with an identifier, which most often is the top one.
  @inlinable
  @inline(__always)
  func position(of id: StackElementID) -> Int? {
    id == elementIDs.last ? elementIDs.count - 1 : positions[id]
  }

  /// Puts an element on top, and returns its identifier.
  @discardableResult
  public mutating func append(_ element: Element) -> StackElementID {
    let id = nextID
    insert(element, id: id)
    return id
  }

  /// Removes the top element.
  @discardableResult
  public mutating func removeLast() -> Element? {
    guard let id = elementIDs.popLast() else { return nil }
    removal = UniqueNumber.next()
    positions[id] = nil
    pushes.removeLast()
    return elements.removeLast()
  }

  /// Removes an element and all above it.
  ///
  /// - Complexity: O(*k*), where *k* is the number of removed elements.
  public mutating func pop(from id: StackElementID) {
    guard let position = position(of: id) else { return }
    while elements.count > position { removeLast() }
  }

  /// Removes all elements above one.
  ///
  /// - Complexity: O(*k*), where *k* is the number of removed elements.
  public mutating func pop(to id: StackElementID) {
    guard let position = position(of: id) else { return }
    while elements.count > position + 1 { removeLast() }
  }

  /// Removes all elements.
  public mutating func removeAll() { while removeLast() != nil {} }

  /// Changes an element in place.
  ///
  /// - Returns: the result of `body`; `nil` if there is no such element.
  @inlinable
  public mutating func update<Result>(
    _ id: StackElementID, _ body: (inout Element) -> Result
  ) -> Result? {
    guard let position = position(of: id) else { return nil }
    return body(&elements[position])
  }

  @usableFromInline
  mutating func insert(_ element: Element, id: StackElementID) {
    guard position(of: id) == nil else { return }
    // Wrapping: an identifier may come from outside, and be the largest there is.
    next = Swift.max(next, id.generation &+ 1)
    positions[id] = elements.count
    pushes.append(UniqueNumber.next())
    elementIDs.append(id)
    elements.append(element)
  }
}

extension StackState: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> Element { elements[position] }
}

extension StackState: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension StackState: Equatable where Element: Equatable {
  /// Whether both hold equal elements with the same identifiers, in the same order.
  public static func == (left: Self, right: Self) -> Bool {
    left.elementIDs == right.elementIDs && left.elements == right.elements
  }
}

extension StackState: Hashable where Element: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension StackState: Sendable where Element: Sendable {}

extension StackState: CustomReflectable {
  /// Shows the elements with their identifiers, from the bottom up.
  public var customMirror: Mirror {
    let children = zip(elementIDs, elements).map { Mirror.Child(label: "\($0)", value: $1) }
    return Mirror(self, children: children, displayStyle: .collection)
  }
}

extension StackState: Encodable where Element: Encodable {
  public func encode(to encoder: any Encoder) throws {
    guard StackForm.isTakenOver(encoder.userInfo) else {
      var container = encoder.singleValueContainer()
      return try container.encode(elements)
    }
    var container = encoder.container(keyedBy: StackForm.self)
    try container.encode(elements, forKey: .elements)
    try container.encode(elementIDs.map(\.generation), forKey: .ids)
    try container.encode(next, forKey: .next)
  }
}

/// The encoded form of a stack that is carried over to another build of its feature: it keeps the
/// identifiers.
private enum StackForm: String, CodingKey {
  case elements, ids, next

  static func isTakenOver(_ userInfo: [CodingUserInfoKey: Any]) -> Bool {
    CodingUserInfoKey.takingOver.flatMap { userInfo[$0] as? Bool } ?? false
  }
}

extension StackState: Decodable where Element: Decodable {
  public init(from decoder: any Decoder) throws {
    // A default value is encoded in the form for storage.
    guard StackForm.isTakenOver(decoder.userInfo),
      let container = try? decoder.container(keyedBy: StackForm.self)
    else {
      self.init(try decoder.singleValueContainer().decode([Element].self))
      return
    }
    let ids = try container.decode([Int].self, forKey: .ids)
    self.init()
    for (id, element) in zip(ids, try container.decode([Element].self, forKey: .elements)) {
      insert(element, id: StackElementID(generation: id))
    }
    next = try container.decode(Int.self, forKey: .next)
  }
}

/// The actions of a stack.
@frozen
public enum StackAction<Element: Sendable, Action: Sendable>: Sendable {
  /// An action of one element.
  case element(id: StackElementID, action: Action)
  /// An element and all above it are to be popped.
  case popFrom(id: StackElementID)
  /// An element is to be pushed.
  case push(id: StackElementID, state: Element)
}

extension StackAction: Equatable where Element: Equatable, Action: Equatable {}
