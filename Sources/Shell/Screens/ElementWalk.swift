@_spi(Host) internal import AppCore

/// The elements of a screen in order, sections opened up; without recursion, for a plugin decides
/// how deep they nest.
struct ElementWalk: Sequence, IteratorProtocol {
  enum Step {
    /// Anything but a section, and how many sections it is in.
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
