/// A first-in, first-out queue of actions.
///
/// An action may hold an object whose `deinit` sends another one. So nothing is released while the
/// queue is being changed: removing an action leaves an empty slot, which is dropped later.
final class ActionQueue<Element> {
  /// How many wait; kept, so that to ask needs no look-up of the elements' type.
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var elements: [Element?] = []
  @exclusivity(unchecked) private var first = 0

  /// - Complexity: constant, amortized.
  func append(_ element: Element) {
    elements.append(element)
    count += 1
  }

  /// Takes the first one out.
  ///
  /// - Complexity: constant, amortized; an endless chain of actions holds no memory.
  func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    let element = elements[first]
    elements[first] = nil
    first += 1
    count -= 1
    if first == elements.count {
      // The places are empty: nothing is released here.
      elements.removeAll(keepingCapacity: elements.count <= 4096)
      first = 0
    } else if first >= 1024, first >= elements.count / 2 {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }
}
