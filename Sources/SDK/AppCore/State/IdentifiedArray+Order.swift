extension IdentifiedArray {
  /// Creates a collection of elements with identifiers that differ.
  ///
  /// - Precondition: no two have the same identifier; use ``init(_:)`` where that can't be known.
  @inlinable
  public init(uniqueElements: some Sequence<Element>) {
    self.init()
    index.reserveCapacity(uniqueElements.underestimatedCount)
    for element in uniqueElements {
      let id = element.id
      precondition(
        index.position(of: id) == nil, "two elements of an IdentifiedArray have the same id")
      index.insert(id, at: elements.count)
      elements.append(element)
    }
  }

  /// The position of the element with an identifier.
  ///
  /// - Complexity: constant.
  @inlinable
  public func index(id: Element.ID) -> Int? { index.position(of: id) }

  /// Adds elements at the end; one whose identifier is there already is left out and reported.
  ///
  /// - Complexity: O(n) in the elements that come.
  @inlinable
  public mutating func append(contentsOf new: some Sequence<Element>) {
    let count = elements.count + new.underestimatedCount
    if count > elements.capacity {
      // At least twice what there was: reserving no more than is needed would move all of them again
      // and again.
      let capacity = Swift.max(count, 2 * elements.capacity)
      elements.reserveCapacity(capacity)
      index.reserveCapacity(capacity)
    }
    for element in new { append(element) }
  }

  /// Puts an element in the place of the one with its identifier, or at the end.
  ///
  /// - Returns: the element that was there.
  /// - Complexity: constant.
  @inlinable
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    updateOrInsert(element, at: elements.count)
  }

  /// Puts an element in the place of the one with its identifier, or at a position.
  ///
  /// - Returns: the element that was there.
  /// - Complexity: constant where there was one, else O(n).
  @inlinable
  @discardableResult
  public mutating func updateOrInsert(_ element: Element, at position: Int) -> Element? {
    guard let known = index.position(of: element.id) else {
      insert(element, at: position)
      return nil
    }
    let old = elements[known]
    elements[known] = element
    return old
  }

  /// Removes the last element.
  ///
  /// - Precondition: the collection isn't empty.
  /// - Complexity: constant.
  @inlinable
  @discardableResult
  public mutating func removeLast() -> Element { remove(at: elements.count - 1) }

  /// Removes the last elements.
  ///
  /// - Complexity: O(n) in the elements that go.
  @inlinable
  public mutating func removeLast(_ count: Int) {
    precondition(count <= elements.count, "can't remove more elements than there are")
    for _ in 0..<count { removeLast() }
  }

  /// The elements that satisfy a condition, in order.
  @inlinable
  public func filter(_ isWanted: (Element) throws -> Bool) rethrows -> IdentifiedArray {
    var result = IdentifiedArray()
    result.elements = try elements.filter(isWanted)
    result.index.replaceAll(by: result.elements.map(\.id))
    return result
  }

  /// Sorts the elements; equal ones keep their order.
  ///
  /// - Complexity: O(n log n).
  @inlinable
  public mutating func sort(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows {
    try reorder { try $0.sort(by: areInIncreasingOrder) }
  }

  /// Exchanges two elements.
  ///
  /// - Complexity: constant.
  @inlinable
  public mutating func swapAt(_ first: Int, _ second: Int) {
    elements.swapAt(first, second)
    index.swapAt(first, second)
  }

  /// Reverses the order.
  @inlinable
  public mutating func reverse() {
    elements.reverse()
    index.reverse()
  }

  /// Puts the elements into a random order.
  @inlinable
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    reorder { $0.shuffle(using: &generator) }
  }

  /// Puts the elements that don't satisfy a condition first.
  ///
  /// - Returns: the position of the first one that does.
  @inlinable
  @discardableResult
  public mutating func partition(
    by isInSecondPart: (Element) throws -> Bool
  ) rethrows -> Int {
    try reorder { try $0.partition(by: isInSecondPart) }
  }

  /// Moves elements to before a position, in the order in which they are.
  ///
  /// - Parameters:
  ///   - positions: those that move; each counts once.
  ///   - destination: a position as it is before anything moves; the count stands for the end.
  @inlinable
  public mutating func move(fromOffsets positions: some Sequence<Int>, toOffset destination: Int) {
    let moving = Set(positions)
    reorder { elements in
      let moved = elements.indices.filter(moving.contains).map { elements[$0] }
      let before = elements.indices.prefix(destination).filter { !moving.contains($0) }
      let after = elements.indices.dropFirst(destination).filter { !moving.contains($0) }
      elements = before.map { elements[$0] } + moved + after.map { elements[$0] }
    }
  }

  @inlinable
  mutating func reorder<Result>(
    _ body: (inout [Element]) throws -> Result
  ) rethrows -> Result {
    defer { index.replaceAll(by: elements.map(\.id)) }
    return try body(&elements)
  }
}

extension IdentifiedArray where Element: Comparable {
  /// Sorts the elements; equal ones keep their order.
  ///
  /// - Complexity: O(n log n).
  @inlinable
  public mutating func sort() { sort(by: <) }
}

// An element that is handed out to be changed is taken out of the array meanwhile: one that the array
// held as well would be copied with all that it holds.
extension IdentifiedArray {
  /// Takes out an element without moving the others but the last one.
  @inlinable
  mutating func takeOut(at position: Int) -> Element {
    elements.swapAt(position, elements.count - 1)
    return elements.removeLast()
  }

  /// Ends what ``takeOut(at:)`` began.
  @inlinable
  mutating func putBack(_ element: Element?, at position: Int) {
    guard let element else {
      // The last one goes back to the end.
      if position < elements.count { elements.append(elements.remove(at: position)) }
      index.remove(at: position)
      edition = Edition.next()
      return
    }
    elements.append(element)
    elements.swapAt(position, elements.count - 1)
    checkIdentifier(at: position)
  }
}
