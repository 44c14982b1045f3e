extension StackState {
  /// The element with an identifier, which can be changed in place; setting it to `nil` removes it.
  ///
  /// An element can't be set under an identifier that isn't in the stack: that is reported. In the
  /// closure of a test that says what is expected, it is put on top.
  ///
  /// - Complexity: O(1); removing is O(*n*), where *n* is the number of elements above.
  public subscript(id id: StackElementID) -> Element? {
    get { position(of: id).map { elements[$0] } }
    _modify {
      guard let position = position(of: id) else {
        var none: Element?
        yield &none
        if let none { setMissing(none, id) }
        return
      }
      // Taken out meanwhile: a second reference from the stack would make the change copy the
      // element.
      elements.swapAt(position, elements.count - 1)
      var element: Element? = elements.removeLast()
      defer {
        if let element {
          elements.append(element)
          elements.swapAt(position, elements.count - 1)
        } else {
          // The former top element is in the place of the removed one.
          if position < elements.count { elements.append(elements.remove(at: position)) }
          forget(at: position)
        }
      }
      yield &element
    }
  }

  /// The payload of one case of an element; `nil` if the element is in another case, or gone.
  ///
  /// ```swift
  /// struct Detail { var title: String }
  /// enum Page { case detail(Detail), about }
  ///
  /// var path: StackState<Page> = [.detail(Detail(title: "Milk"))]
  /// path[id: path.ids[0], case: /Page.detail]?.title = "Oat milk"
  /// ```
  ///
  /// Setting it to `nil` removes the element. Setting a value in an element that is in another case
  /// changes nothing and is reported.
  public subscript<Value>(
    id id: StackElementID, case path: CasePath<Element, Value>
  ) -> Value? {
    get { self[id: id].flatMap(path.extract) }
    set {
      guard let position = position(of: id) else {
        if let newValue { setMissing(path.embed(newValue), id) }
        return
      }
      guard path.is(elements[position]) else {
        if newValue != nil { reportMissing(id) }
        return
      }
      if let newValue { elements[position] = path.embed(newValue) } else { remove(id: id) }
    }
  }

  /// Removes one element; the elements above it stay.
  ///
  /// - Returns: the element; `nil` if it is not on the stack.
  /// - Complexity: O(*n*), where *n* is the number of elements above.
  @discardableResult
  public mutating func remove(id: StackElementID) -> Element? {
    guard let position = position(of: id) else { return nil }
    let element = elements.remove(at: position)
    forget(at: position)
    return element
  }

  /// Removes the top elements.
  ///
  /// - Complexity: O(*k*), where *k* is `count`.
  public mutating func removeLast(_ count: Int) {
    precondition(count <= elements.count, "more elements are to go than there are")
    for _ in 0..<count { removeLast() }
  }

  /// Puts elements on top, in order.
  public mutating func append(contentsOf new: some Sequence<Element>) {
    for element in new { append(element) }
  }

  /// Inserts an element beneath the one at a position, and returns its identifier.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements above.
  @discardableResult
  public mutating func insert(_ element: Element, at position: Int) -> StackElementID {
    let id = append(element)
    guard position < elements.count - 1 else { return id }
    elements.insert(elements.removeLast(), at: position)
    elementIDs.insert(elementIDs.removeLast(), at: position)
    pushes.insert(pushes.removeLast(), at: position)
    // The elements below a push are not those that it was made onto any more.
    removal = UniqueNumber.next()
    index(from: position)
    return id
  }

  /// Replaces the elements in a range; the new elements get new identifiers.
  ///
  /// - Complexity: O(*k* × *n*), where *k* is the number of replaced and new elements, and *n* the
  ///   number of elements from the start of the range on.
  public mutating func replaceSubrange(_ range: Range<Int>, with new: some Sequence<Element>) {
    for id in elementIDs[range].reversed() { remove(id: id) }
    for (offset, element) in new.enumerated() { insert(element, at: range.lowerBound + offset) }
  }

  private mutating func forget(at position: Int) {
    positions[elementIDs.remove(at: position)] = nil
    pushes.remove(at: position)
    removal = UniqueNumber.next()
    index(from: position)
  }

  /// Updates the positions of the elements from one on.
  private mutating func index(from start: Int) {
    for position in start..<elementIDs.count { positions[elementIDs[position]] = position }
  }

  /// Puts an element that a test expects on top; elsewhere its identifier is reported.
  private mutating func setMissing(_ element: Element, _ id: StackElementID) {
    if SharedView.isExpecting { insert(element, id: id) } else { reportMissing(id) }
  }

  private func reportMissing(_ id: StackElementID) {
    RuntimeIssue.report(
      """
      an element was set under \(id), where the stack has none, or one in another case; nothing has \
      changed
        - 'append' puts an element on top, and returns its identifier
      """)
  }
}

extension StackElementID: ExpressibleByIntegerLiteral {
  /// The identifier of the element that was pushed as number `value`, counted from 0; for tests.
  public init(integerLiteral value: Int) { self.init(generation: value) }
}
