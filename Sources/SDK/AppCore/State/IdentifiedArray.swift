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
  @usableFromInline var positions: [Element.ID: Int] = [:]
  /// Changes whenever elements are added or removed, so that they need not be compared.
  ///
  /// Added, too: a copy from before is one from which they are gone. Two collections that were
  /// created separately never have the same one. Interfaces of plugins have its name.
  @usableFromInline var removal = UniqueNumber.next()

  @inlinable
  public init() {}

  /// Creates a collection; of several elements with one identifier the first one stays.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    // Its number is new already.
    add(contentsOf: elements)
  }

  /// The identifiers, in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  @inlinable public var ids: [Element.ID] { elements.map(\.id) }

  /// The element with an identifier.
  ///
  /// Setting `nil` removes it; setting an element that isn't there appends it. An element with
  /// another identifier is rejected and reported.
  @inlinable
  public subscript(id id: Element.ID) -> Element? {
    get { positions[id].map { elements[$0] } }
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
      guard let position = positions[id] else {
        var element: Element?
        yield &element
        if let element { self[id: id] = element }
        return
      }
      // Taken out meanwhile, and the last one in its place: a second reference from the array would
      // make every change copy what the element holds.
      elements.swapAt(position, elements.count - 1)
      var element: Element? = elements.removeLast()
      defer {
        if let element {
          elements.append(element)
          elements.swapAt(position, elements.count - 1)
          checkIdentifier(id, at: position)
        } else {
          if position < elements.count { elements.append(elements.remove(at: position)) }
          positions[id] = nil
          removal = UniqueNumber.next()
          renumber(from: position)
        }
      }
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
    guard add(element, at: position) else { return false }
    removal = UniqueNumber.next()
    return true
  }

  /// Adds an element, and leaves it to the caller to change ``removal``.
  @inlinable
  mutating func add(_ element: Element, at position: Int) -> Bool {
    let id = element.id
    guard positions[id] == nil else {
      RuntimeIssue.report(
        """
        an element with the id \(id) is in the collection already; the new one was left out
          - give every element an id of its own, or set it with 'elements[id:]'
        """)
      return false
    }
    positions[id] = position
    elements.insert(element, at: position)
    renumber(from: position + 1)
    return true
  }

  /// Removes the element with an identifier.
  @inlinable
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? { positions[id].map { remove(at: $0) } }

  /// Removes the element at a position.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    removal = UniqueNumber.next()
    let element = elements.remove(at: position)
    positions[element.id] = nil
    renumber(from: position)
    return element
  }

  /// Removes the elements that satisfy a condition.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements, however many are removed.
  @inlinable
  public mutating func removeAll(where isUnwanted: (Element) -> Bool = { _ in true }) {
    let count = elements.count
    elements.removeAll(where: isUnwanted)
    guard elements.count < count else { return }
    removal = UniqueNumber.next()
    positions.removeAll(keepingCapacity: true)
    renumber(from: 0)
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
    guard let position = positions[id] else { return nil }
    let result = body(&elements[position])
    checkIdentifier(id, at: position)
    return result
  }

  /// Records the positions of the elements from a position on.
  @inlinable
  mutating func renumber(from start: Int) {
    for position in start..<elements.count { positions[elements[position].id] = position }
  }

  /// Checks that a changed element has kept its identifier; if not, reports it, and finds it under
  /// the new one.
  @inlinable
  mutating func checkIdentifier(_ id: Element.ID, at position: Int) {
    if elements[position].id != id { rename(from: id, at: position) }
  }

  @usableFromInline
  mutating func rename(from old: Element.ID, at position: Int) {
    let new = elements[position].id
    let isTaken = positions[new] != nil
    RuntimeIssue.report(
      """
      an element changed its id from \(old) to \(new)\
      \(isTaken ? ", which is another element's; it was left out" : "")
        - an id stays: remove the element and add one with the new id
      """)
    removal = UniqueNumber.next()
    positions[old] = nil
    if isTaken {
      elements.remove(at: position)
      renumber(from: position)
    } else {
      positions[new] = position
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
      let id = elements[position].id
      defer { checkIdentifier(id, at: position) }
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
