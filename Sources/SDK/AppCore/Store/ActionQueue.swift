/// Actions that wait, first in, first out.
///
/// An action may hold an object whose `deinit` sends another one. So nothing is released while the
/// queue is being changed: what is taken out leaves an empty place behind, and goes later.
struct ActionQueue<Element> {
  private var elements: [Element?] = []
  private var first = 0

  /// How many wait.
  var count: Int { elements.count - first }

  /// - Complexity: constant, amortized.
  mutating func append(_ element: Element) { elements.append(element) }

  /// Takes the first one out.
  ///
  /// - Complexity: constant, amortized; an endless chain of actions holds no memory.
  mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    let element = elements[first]
    elements[first] = nil
    first += 1
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
