/// A first-in, first-out queue of actions.
///
/// An action may hold an object whose `deinit` sends another one. So nothing is released while the
/// queue is being changed: removing an action leaves an empty slot, which is dropped later.
final class ActionQueue<Element> {
  /// The number of waiting actions; stored, so that reading it needs no metadata of the elements.
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var elements: [Element?] = []
  @exclusivity(unchecked) private var first = 0

  /// - Complexity: O(1), amortized.
  func append(_ element: Element) {
    elements.append(element)
    count += 1
  }

  /// Removes and returns the first action; `nil` if the queue is empty.
  ///
  /// - Complexity: O(1), amortized; an endless chain of actions uses a bounded amount of memory.
  func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    let element = elements[first]
    elements[first] = nil
    first += 1
    count -= 1
    if first == elements.count {
      // All slots are empty: nothing is released here.
      elements.removeAll(keepingCapacity: elements.count <= 4096)
      first = 0
    } else if first >= 1024, first >= elements.count / 2 {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }
}
