@_spi(Host) package import AppCore

public struct ShellScreen {
  package var content: ScreenContent
  /// An identifier of the screen's instance: equal only for screens of the same instance.
  public var owner: String
  public var chrome: Chrome

  /// Creates a screen; content beyond ``ScreenLimits`` is cut.
  package init(_ content: ScreenContent, owner: String, chrome: Chrome = Chrome()) {
    self.content = content.bounded()
    self.owner = owner
    self.chrome = chrome
  }
}

/// The controls of a printed screen, and of the following screens with the same controls.
struct ShownScreen: Sendable {
  /// The number of the last of these screens.
  var number: Int
  let owner: String
  /// The controls in the order of their numbers, from 1.
  let controls: [NumberedControl]
  let numbers: [ControlIdentity: Int]
  private let first: Int

  init(number: Int, owner: String, controls: [NumberedControl]) {
    first = number
    self.number = number
    self.owner = owner
    self.controls = controls
    numbers = Dictionary(
      controls.map { ($0.identity, $0.number) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether one of these screens had this number.
  func wasScreen(_ number: Int) -> Bool { (first...self.number).contains(number) }
}

/// Walks the elements of a screen in order, including those of sections; without recursion, since
/// a plugin decides how deeply sections nest.
package struct ElementWalk: Sequence, IteratorProtocol {
  package enum Step {
    /// An element that is not a section, with the number of sections around it.
    case element(ScreenElement, depth: Int)
    case beginSection(title: String, depth: Int)
    case endSection
  }

  private var stack: [ArraySlice<ScreenElement>]

  package init(_ elements: [ScreenElement]) { stack = [elements[...]] }

  package mutating func next() -> Step? {
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
