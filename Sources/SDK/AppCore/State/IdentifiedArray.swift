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
/// - Complexity: looking up, updating and appending are constant; inserting and removing are linear.
public struct IdentifiedArray<Element: Identifiable> {
  var elements: [Element] = []
  var positions: [Element.ID: Int] = [:]
  /// Changes whenever elements are removed, so that the rest need not be compared.
  ///
  /// No two collections that were made separately have it in common.
  var edition = Edition.next()

  /// Creates an empty collection.
  public init() {}

  /// Creates a collection; of several elements with one identifier the first one stays.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// The identifiers, in order.
  public var ids: [Element.ID] { elements.map(\.id) }

  /// The element with an identifier.
  ///
  /// Setting `nil` removes it; setting an element that isn't there appends it. An element with
  /// another identifier is refused and reported.
  public subscript(id id: Element.ID) -> Element? {
    get { positions[id].map { elements[$0] } }
    set {
      guard let newValue else {
        remove(id: id)
        return
      }
      guard newValue.id == id else {
        Issue.report("an element with the id \(newValue.id) was set under the id \(id)")
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
      var element: Element? = takeOut(at: position)
      defer { putBack(element, at: position, id: id) }
      yield &element
    }
  }

  /// Adds an element at the end.
  ///
  /// - Returns: whether it was added; if not, there already is an element with the same identifier,
  ///   and that is reported.
  @discardableResult
  public mutating func append(_ element: Element) -> Bool {
    insert(element, at: elements.count)
  }

  /// Adds an element at a position.
  ///
  /// - Returns: whether it was added.
  @discardableResult
  public mutating func insert(_ element: Element, at position: Int) -> Bool {
    guard positions[element.id] == nil else {
      Issue.report(
        """
        an element with the id \(element.id) is in the collection already; the new one was left out
          - give every element an id of its own, or set it with 'elements[id:]'
        """)
      return false
    }
    elements.insert(element, at: position)
    index(from: position)
    return true
  }

  /// Removes the element with an identifier.
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? {
    guard let position = positions.removeValue(forKey: id) else { return nil }
    edition = Edition.next()
    let removed = elements.remove(at: position)
    index(from: position)
    return removed
  }

  /// Removes the elements that satisfy a condition.
  ///
  /// - Complexity: O(n), however many go.
  public mutating func removeAll(where isUnwanted: (Element) -> Bool = { _ in true }) {
    let count = elements.count
    elements.removeAll(where: isUnwanted)
    guard elements.count < count else { return }
    edition = Edition.next()
    positions.removeAll(keepingCapacity: true)
    index(from: 0)
  }

  /// Changes an element in place.
  ///
  /// Its identifier must stay. Where it does not, that is reported, and the element is found under
  /// the new one; it is left out where that is another element's.
  ///
  /// - Returns: what `body` returned; `nil` if there is no such element.
  public mutating func update<Result>(
    _ id: Element.ID, _ body: (inout Element) -> Result
  ) -> Result? {
    guard let position = positions[id] else { return nil }
    let result = body(&elements[position])
    if elements[position].id != id { rename(id, at: position) }
    return result
  }

  /// Restores the index after an element's identifier has changed.
  mutating func rename(_ id: Element.ID, at position: Int) {
    let new = elements[position].id
    let isTaken = positions[new] != nil
    Issue.report(
      """
      an element changed its id from \(id) to \(new)\
      \(isTaken ? ", which is another element's; it was left out" : "")
        - an id stays: remove the element and add one with the new id
      """)
    edition = Edition.next()
    guard isTaken else {
      positions[id] = nil
      positions[new] = position
      return
    }
    elements.remove(at: position)
    positions[id] = nil
    index(from: position)
  }
}

extension IdentifiedArray: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }

  /// The element at a position; one that takes its place must have its identifier.
  public subscript(position: Int) -> Element {
    get { elements[position] }
    _modify {
      let id = elements[position].id
      defer { if elements[position].id != id { rename(id, at: position) } }
      yield &elements[position]
    }
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension IdentifiedArray: Equatable where Element: Equatable {
  public static func == (left: Self, right: Self) -> Bool { left.elements == right.elements }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension IdentifiedArray: Sendable where Element: Sendable, Element.ID: Sendable {}

extension IdentifiedArray: CustomReflectable {
  /// Shown as the elements alone.
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

/// The actions of the elements of a collection.
public enum IdentifiedAction<ID: Hashable & Sendable, Action: Sendable>: Sendable {
  /// An action of one element.
  case element(id: ID, action: Action)
}

extension IdentifiedAction: Equatable where Action: Equatable {}
