extension IdentifiedArray {
  /// Creates a collection of elements with unique identifiers.
  ///
  /// - Precondition: no two have the same identifier; use ``init(_:)`` if that is not certain.
  @inlinable
  public init(uniqueElements: some Sequence<Element>) {
    self.init()
    elements = Array(uniqueElements)
    positions.reserveCapacity(elements.count)
    renumber(from: 0)
    precondition(
      positions.count == elements.count, "two elements of an IdentifiedArray have the same id")
  }

  /// The position of the element with an identifier.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func index(id: Element.ID) -> Int? { positions[id] }

  /// Adds elements at the end; one with an identifier that exists already is left out and reported.
  ///
  /// - Complexity: O(*m*), where *m* is the number of new elements.
  @inlinable
  public mutating func append(contentsOf new: some Sequence<Element>) {
    let count = elements.count
    add(contentsOf: new)
    if elements.count > count { removal = UniqueNumber.next() }
  }

  /// Adds elements at the end, and leaves it to the caller to change ``removal``.
  @inlinable
  mutating func add(contentsOf new: some Sequence<Element>) {
    let count = elements.count + new.underestimatedCount
    if count > elements.capacity {
      // At least twice the capacity: reserving only what is needed would move all elements each
      // time.
      let capacity = Swift.max(count, 2 * elements.capacity)
      elements.reserveCapacity(capacity)
      positions.reserveCapacity(capacity)
    }
    for element in new { _ = add(element, at: elements.count) }
  }

  /// Puts an element in the place of the one with its identifier, or at the end.
  ///
  /// - Returns: the element that was replaced; `nil` if there was none.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    updateOrInsert(element, at: elements.count)
  }

  /// Puts an element in the place of the one with its identifier, or at a position.
  ///
  /// - Returns: the element that was replaced; `nil` if there was none.
  /// - Complexity: O(1) if an element was replaced, otherwise O(*n*), where *n* is the number of
  ///   elements.
  @inlinable
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

  /// Removes the last element.
  ///
  /// - Precondition: the collection isn't empty.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func removeLast() -> Element { remove(at: elements.count - 1) }

  /// Removes the last elements.
  ///
  /// - Precondition: `count` is not negative, and not greater than the collection's.
  /// - Complexity: O(*k*), where *k* is the number of removed elements.
  @inlinable
  public mutating func removeLast(_ count: Int) {
    precondition(count >= 0, "can't remove a negative number of elements")
    precondition(count <= elements.count, "can't remove more elements than there are")
    for _ in 0..<count { removeLast() }
  }

  /// Removes the elements at some positions.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  @inlinable
  public mutating func remove(atOffsets positions: some Sequence<Int>) {
    let unwanted = Set(positions)
    let ids = Set(unwanted.map { elements[$0].id })
    removeAll { ids.contains($0.id) }
  }

  /// The elements that satisfy a condition, in order.
  @inlinable
  public func filter(_ isWanted: (Element) throws -> Bool) rethrows -> IdentifiedArray {
    var result = IdentifiedArray()
    result.elements = try elements.filter(isWanted)
    result.renumber(from: 0)
    return result
  }

  /// Sorts the elements; equal ones keep their order.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of elements.
  @inlinable
  public mutating func sort(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows {
    try reorder { try $0.sort(by: areInIncreasingOrder) }
  }

  /// Exchanges two elements.
  ///
  /// - Complexity: O(1).
  @inlinable
  public mutating func swapAt(_ first: Int, _ second: Int) {
    elements.swapAt(first, second)
    positions[elements[first].id] = first
    positions[elements[second].id] = second
  }

  /// Reverses the order.
  @inlinable
  public mutating func reverse() {
    elements.reverse()
    renumber(from: 0)
  }

  /// Puts the elements into a random order.
  public mutating func shuffle() {
    var generator = SystemRandomNumberGenerator()
    shuffle(using: &generator)
  }

  /// Puts the elements into an order that the generator decides.
  @inlinable
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    reorder { $0.shuffle(using: &generator) }
  }

  /// Moves the elements that don't satisfy a condition before those that do.
  ///
  /// - Returns: the position of the first element that satisfies it, or the count.
  @inlinable
  @discardableResult
  public mutating func partition(
    by isInSecondPart: (Element) throws -> Bool
  ) rethrows -> Int {
    try reorder { try $0.partition(by: isInSecondPart) }
  }

  /// Moves elements to just before a position, and keeps their relative order.
  ///
  /// - Parameters:
  ///   - positions: the positions of the elements to move; duplicates are ignored.
  ///   - destination: a position as it is before anything moves, or the count for the end.
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
    defer { renumber(from: 0) }
    return try body(&elements)
  }
}

extension IdentifiedArray where Element: Comparable {
  /// Sorts the elements; equal ones keep their order.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of elements.
  @inlinable
  public mutating func sort() { sort(by: <) }
}
