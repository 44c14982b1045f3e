extension StackState {
  /// The element with an identifier, which can be changed in place; `nil` removes it.
  ///
  /// An element can't be set under an identifier that isn't in the stack: that is reported.
  /// - Complexity: constant; removing is O(n) in the elements above.
  public subscript(id id: StackElementID) -> Element? {
    get { position(of: id).map { elements[$0] } }
    _modify {
      guard let position = position(of: id) else {
        var none: Element?
        yield &none
        if none != nil { reportMissing(id) }
        return
      }
      // Taken out meanwhile: an element that the stack held as well would be copied.
      elements.swapAt(position, elements.count - 1)
      var element: Element? = elements.removeLast()
      defer {
        if let element {
          elements.append(element)
          elements.swapAt(position, elements.count - 1)
        } else {
          // The last one is where the removed one was.
          if position < elements.count { elements.append(elements.remove(at: position)) }
          forget(at: position)
        }
      }
      yield &element
    }
  }

  /// What the element with an identifier has in one case; `nil` where it is in another one, or gone.
  ///
  /// ```swift
  /// struct Detail { var title: String }
  /// enum Page { case detail(Detail), about }
  ///
  /// var path: StackState<Page> = [.detail(Detail(title: "Milk"))]
  /// path[id: path.ids[0], case: /Page.detail]?.title = "Oat milk"
  /// ```
  ///
  /// Setting it in an element that is in another case changes nothing and is reported.
  public subscript<Value>(
    id id: StackElementID, case path: CasePath<Element, Value>
  ) -> Value? {
    get { self[id: id].flatMap(path.extract) }
    set {
      guard let position = position(of: id), path.is(elements[position]) else {
        if newValue != nil { reportMissing(id) }
        return
      }
      if let newValue { elements[position] = path.embed(newValue) } else { remove(id: id) }
    }
  }

  /// Removes one element; those above stay.
  ///
  /// - Returns: the element; `nil` where it was popped.
  /// - Complexity: O(n) in the elements above.
  @discardableResult
  public mutating func remove(id: StackElementID) -> Element? {
    guard let position = position(of: id) else { return nil }
    let element = elements.remove(at: position)
    forget(at: position)
    return element
  }

  /// Removes the top elements.
  ///
  /// - Complexity: O(n) in the elements that go.
  public mutating func removeLast(_ count: Int) {
    precondition(count <= elements.count, "more elements are to go than there are")
    for _ in 0..<count { removeLast() }
  }

  /// Puts elements on top, in order.
  public mutating func append(contentsOf new: some Sequence<Element>) {
    for element in new { append(element) }
  }

  /// Puts an element beneath the one at a position.
  ///
  /// - Returns: its identifier.
  /// - Complexity: O(n) in the elements above.
  @discardableResult
  public mutating func insert(_ element: Element, at position: Int) -> StackElementID {
    let id = append(element)
    guard position < elements.count - 1 else { return id }
    elements.insert(elements.removeLast(), at: position)
    elementIDs.insert(elementIDs.removeLast(), at: position)
    index(from: position)
    return id
  }

  /// Puts elements in the place of some, under identifiers of their own.
  ///
  /// - Complexity: O(n) in the elements from there on.
  public mutating func replaceSubrange(_ range: Range<Int>, with new: some Sequence<Element>) {
    for id in elementIDs[range].reversed() { remove(id: id) }
    for (offset, element) in new.enumerated() { insert(element, at: range.lowerBound + offset) }
  }

  private mutating func forget(at position: Int) {
    places[elementIDs.remove(at: position)] = nil
    edition = Edition.next()
    index(from: position)
  }

  /// Notes where the elements are from a position on.
  private mutating func index(from start: Int) {
    for position in start..<elementIDs.count {
      let id = elementIDs[position]
      guard let place = places[id] else { continue }
      places[id] = Place(position: position, edition: place.edition)
    }
  }

  private func reportMissing(_ id: StackElementID) {
    Issue.report(
      """
      an element was set under \(id), where the stack has none, or one in another case; nothing has \
      changed
        - 'append' puts an element on top, and returns its identifier
      """)
  }
}

extension StackElementID: ExpressibleByIntegerLiteral {
  /// The identifier of the element that was the `value`th to be pushed, counted from 0: for tests.
  public init(integerLiteral value: Int) { self.init(generation: value) }
}
