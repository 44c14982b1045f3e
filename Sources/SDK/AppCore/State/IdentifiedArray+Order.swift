extension IdentifiedArray {
  /// Creates a collection of elements with identifiers that differ.
  ///
  /// - Precondition: no two have the same identifier; use ``init(_:)`` where that can't be known.
  public init(uniqueElements: some Sequence<Element>) {
    self.init()
    append(contentsOf: uniqueElements)
    precondition(
      elements.count == positions.count, "two elements of an IdentifiedArray have the same id")
  }

  /// The position of the element with an identifier.
  ///
  /// - Complexity: constant.
  public func index(id: Element.ID) -> Int? { positions[id] }

  /// Adds elements at the end; one whose identifier is there already is left out and reported.
  ///
  /// - Complexity: O(n) in the elements that come.
  public mutating func append(contentsOf new: some Sequence<Element>) {
    elements.reserveCapacity(elements.count + new.underestimatedCount)
    for element in new { append(element) }
  }

  /// Puts an element in the place of the one with its identifier, or at the end.
  ///
  /// - Returns: the element that was there.
  /// - Complexity: constant.
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    updateOrInsert(element, at: elements.count)
  }

  /// Puts an element in the place of the one with its identifier, or at a position.
  ///
  /// - Returns: the element that was there.
  /// - Complexity: constant where there was one, else O(n).
  @discardableResult
  public mutating func updateOrInsert(_ element: Element, at position: Int) -> Element? {
    guard let known = positions[element.id] else {
      insert(element, at: position)
      return nil
    }
    let old = elements[known]
    elements[known] = element
    return old
  }

  /// Removes the element at a position.
  ///
  /// - Complexity: O(n).
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    let element = elements[position]
    remove(id: element.id)
    return element
  }

  /// Removes the last element.
  ///
  /// - Precondition: the collection isn't empty.
  /// - Complexity: constant.
  @discardableResult
  public mutating func removeLast() -> Element { remove(at: elements.count - 1) }

  /// Removes the last elements.
  ///
  /// - Complexity: O(n) in the elements that go.
  public mutating func removeLast(_ count: Int) {
    precondition(count <= elements.count, "more elements are to go than there are")
    for _ in 0..<count { removeLast() }
  }

  /// The elements that satisfy a condition, in order.
  public func filter(_ isWanted: (Element) throws -> Bool) rethrows -> IdentifiedArray {
    var result = IdentifiedArray()
    for element in elements where try isWanted(element) { result.append(element) }
    return result
  }

  /// Sorts the elements; equal ones keep their order.
  ///
  /// - Complexity: O(n log n).
  public mutating func sort(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows {
    try reorder { try $0.sort(by: areInIncreasingOrder) }
  }

  /// Exchanges two elements.
  ///
  /// - Complexity: constant.
  public mutating func swapAt(_ first: Int, _ second: Int) {
    elements.swapAt(first, second)
    positions[elements[first].id] = first
    positions[elements[second].id] = second
  }

  /// Reverses the order.
  public mutating func reverse() { reorder { $0.reverse() } }

  /// Puts the elements into a random order.
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    reorder { $0.shuffle(using: &generator) }
  }

  /// Puts the elements that don't satisfy a condition first.
  ///
  /// - Returns: the position of the first one that does.
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
  public mutating func move(fromOffsets positions: some Sequence<Int>, toOffset destination: Int) {
    let moving = Set(positions)
    reorder { elements in
      let moved = elements.indices.filter(moving.contains).map { elements[$0] }
      let before = elements.indices.prefix(destination).filter { !moving.contains($0) }
      let after = elements.indices.dropFirst(destination).filter { !moving.contains($0) }
      elements = before.map { elements[$0] } + moved + after.map { elements[$0] }
    }
  }

  private mutating func reorder<Result>(
    _ body: (inout [Element]) throws -> Result
  ) rethrows -> Result {
    defer { index(from: 0) }
    return try body(&elements)
  }

  /// Notes where the elements are from a position on.
  mutating func index(from start: Int) {
    for position in start..<elements.count { positions[elements[position].id] = position }
  }
}

extension IdentifiedArray where Element: Comparable {
  /// Sorts the elements; equal ones keep their order.
  ///
  /// - Complexity: O(n log n).
  public mutating func sort() { sort(by: <) }
}

// An element that is handed out to be changed is taken out of the array meanwhile: one that the array
// held as well would be copied with all that it holds.
extension IdentifiedArray {
  /// Takes out an element without moving the others but the last one.
  mutating func takeOut(at position: Int) -> Element {
    elements.swapAt(position, elements.count - 1)
    return elements.removeLast()
  }

  /// Ends what ``takeOut(at:)`` began.
  mutating func putBack(_ element: Element?, at position: Int, id: Element.ID) {
    guard let element else {
      positions[id] = nil
      edition = Edition.next()
      guard position < elements.count else { return }
      elements.append(elements.remove(at: position))
      return index(from: position)
    }
    elements.append(element)
    elements.swapAt(position, elements.count - 1)
    if element.id != id { rename(id, at: position) }
  }
}
