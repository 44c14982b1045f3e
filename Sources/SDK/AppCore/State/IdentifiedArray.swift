/// An ordered collection whose elements are found by their identifiers.
///
/// ```swift
/// struct Row: Identifiable { let id: Int; var name: String }
///
/// var rows: IdentifiedArray<Row> = [Row(id: 1, name: "a"), Row(id: 2, name: "b")]
/// rows[id: 2]?.name = "c"
/// rows.remove(id: 1)
/// ```
///
/// - Complexity: O(1) for looking up, updating and appending; O(*n*) for inserting and removing,
///   where *n* is the number of elements.
@frozen
public struct IdentifiedArray<Element: Identifiable> {
  @usableFromInline var elements: [Element] = []
  /// The identifiers of the elements, in the same order.
  @usableFromInline var index = IdentifierIndex<Element.ID>()
  /// Changes whenever elements are removed, so that the rest need not be compared.
  ///
  /// Two collections that were created separately never have the same one.
  @usableFromInline var edition = Edition.next()

  /// Creates an empty collection.
  @inlinable
  public init() {}

  /// Creates a collection; of several elements with one identifier the first one stays.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    append(contentsOf: elements)
  }

  /// The identifiers, in order.
  @inlinable public var ids: [Element.ID] { index.ids }

  /// The element with an identifier.
  ///
  /// Setting `nil` removes it; setting an element that isn't there appends it. An element with
  /// another identifier is rejected and reported.
  @inlinable
  public subscript(id id: Element.ID) -> Element? {
    get { index.position(of: id).map { elements[$0] } }
    set {
      guard let newValue else {
        remove(id: id)
        return
      }
      guard newValue.id == id else {
        RuntimeIssue.report("an element with the id \(newValue.id) was set under the id \(id)")
        return
      }
      updateOrAppend(newValue)
    }
    _modify {
      guard let position = index.position(of: id) else {
        var element: Element?
        yield &element
        if let element { self[id: id] = element }
        return
      }
      var element: Element? = takeOut(at: position)
      defer { putBack(element, at: position) }
      yield &element
    }
  }

  /// Adds an element at the end.
  ///
  /// - Returns: `false` if there already is an element with the same identifier, which is reported.
  @inlinable
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    insert(element, at: elements.count)
  }

  /// Adds an element at a position.
  ///
  /// - Returns: `false` if there already is an element with the same identifier, which is reported.
  @inlinable
  @discardableResult
  public mutating func insert(_ element: Element, at position: Int) -> Bool {
    let id = element.id
    guard index.position(of: id) == nil else {
      reportSecond(id)
      return false
    }
    index.insert(id, at: position)
    elements.insert(element, at: position)
    return true
  }

  @usableFromInline
  func reportSecond(_ id: Element.ID) {
    RuntimeIssue.report(
      """
      an element with the id \(id) is in the collection already; the new one was left out
        - give every element an id of its own, or set it with 'elements[id:]'
      """)
  }

  /// Removes the element with an identifier.
  @inlinable
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? {
    index.position(of: id).map { remove(at: $0) }
  }

  /// Removes the element at a position.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    edition = Edition.next()
    index.remove(at: position)
    return elements.remove(at: position)
  }

  /// Removes the elements that satisfy a condition.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements, however many are removed.
  @inlinable
  public mutating func removeAll(where isUnwanted: (Element) -> Bool = { _ in true }) {
    let count = elements.count
    elements.removeAll(where: isUnwanted)
    guard elements.count < count else { return }
    edition = Edition.next()
    index.replaceAll(by: elements.map(\.id))
  }

  /// Changes an element in place.
  ///
  /// Its identifier must not change. A change is reported; the element is then found under the new
  /// identifier, or removed if that belongs to another element.
  ///
  /// - Returns: the result of `body`; `nil` if there is no such element.
  @inlinable
  public mutating func update<Result>(
    _ id: Element.ID, _ body: (inout Element) -> Result
  ) -> Result? {
    guard let position = index.position(of: id) else { return nil }
    let result = body(&elements[position])
    checkIdentifier(at: position)
    return result
  }

  /// Checks that a changed element has kept its identifier; if not, reports it and repairs the
  /// index.
  @inlinable
  mutating func checkIdentifier(at position: Int) {
    let id = elements[position].id
    if id != index.ids[position] { rename(to: id, at: position) }
  }

  /// Restores the index after an element's identifier has changed.
  @usableFromInline
  mutating func rename(to new: Element.ID, at position: Int) {
    let isTaken = index.position(of: new) != nil
    RuntimeIssue.report(
      """
      an element changed its id from \(index.ids[position]) to \(new)\
      \(isTaken ? ", which is another element's; it was left out" : "")
        - an id stays: remove the element and add one with the new id
      """)
    if isTaken {
      remove(at: position)
    } else {
      edition = Edition.next()
      index.replace(at: position, by: new)
    }
  }
}

extension IdentifiedArray: RandomAccessCollection {
  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { elements.count }

  /// The element at a position; one that takes its place must have its identifier.
  @inlinable
  public subscript(position: Int) -> Element {
    get { elements[position] }
    _modify {
      defer { checkIdentifier(at: position) }
      yield &elements[position]
    }
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral {
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension IdentifiedArray: Equatable where Element: Equatable {
  @inlinable
  public static func == (left: Self, right: Self) -> Bool { left.elements == right.elements }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension IdentifiedArray: Sendable where Element: Sendable, Element.ID: Sendable {}

extension IdentifiedArray: CustomReflectable {
  /// Shows only the elements.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}

extension IdentifiedArray: Encodable where Element: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(elements)
  }
}

extension IdentifiedArray: Decodable where Element: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Element].self))
  }
}

/// Another name for `IdentifiedArray`, as in `var rows: IdentifiedArrayOf<Row.State>`.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element>

/// The actions of the elements of a collection.
@frozen
public enum IdentifiedAction<ID: Hashable & Sendable, Action: Sendable>: Sendable {
  /// An action of one element.
  case element(id: ID, action: Action)
}

extension IdentifiedAction: Equatable where Action: Equatable {}
