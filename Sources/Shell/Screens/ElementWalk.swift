@_spi(Host) internal import AppCore

/// Walks the elements of a screen in order, including those of sections; without recursion, since
/// a plugin decides how deeply sections nest.
struct ElementWalk: Sequence, IteratorProtocol {
  enum Step {
    /// An element that is not a section, with the number of sections around it.
    case element(ScreenElement, depth: Int)
    case beginSection(title: String, depth: Int)
    case endSection
  }

  private var stack: [ArraySlice<ScreenElement>]

  init(_ elements: [ScreenElement]) { stack = [elements[...]] }

  mutating func next() -> Step? {
    guard var rest = stack.popLast() else { return nil }
    guard let element = rest.popFirst() else { return stack.isEmpty ? nil : .endSection }
    let depth = stack.count
    stack.append(rest)
    if case .section(let title, let elements) = element {
      stack.append(elements[...])
      return .beginSection(title: title, depth: depth)
    }
    return .element(element, depth: depth)
  }
}
