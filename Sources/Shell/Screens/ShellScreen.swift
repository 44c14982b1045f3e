@_spi(Host) public import AppCore
internal import Support

public struct ShellScreen {
  package var content: ScreenContent
  /// An identifier of the screen's instance: equal only for screens of the same instance.
  public var owner: String
  public var chrome: Chrome
  /// The date that people mean by `today`.
  package let today: @Sendable () -> CalendarDate

  /// Creates a screen; content beyond ``ScreenLimits`` is cut.
  package init(
    _ content: ScreenContent, owner: String, chrome: Chrome = Chrome(),
    today: @escaping @Sendable () -> CalendarDate = { DependencyValues().today }
  ) {
    self.content = content.bounded()
    self.owner = owner
    self.chrome = chrome
    self.today = today
  }

  /// The title for users, safe to print: the screen's, or else its node's.
  package var name: String {
    let title = SafeText.line(content.title)
    return title.isEmpty ? chrome.titles.last.map(SafeText.line) ?? "" : title
  }

  /// The label of a control for users, safe to print.
  package static func label(of control: ControlContent) -> String {
    SafeText.line(control.label) + (control.isEnabled ? "" : " (disabled)")
  }
}

extension DependencyValues {
  /// The date of now in the time zone.
  package var today: CalendarDate { timeZone.date(of: date.now) }
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

  var hasSecret: Bool { controls.contains { $0.identity.kind == .secret } }

  /// Whether one of these screens had this number.
  func wasScreen(_ number: Int) -> Bool { (first...self.number).contains(number) }
}

/// What holds elements.
package enum ElementGroup {
  case section(title: String)
  case columns(count: Int)
  case column
}

/// Walks the elements of a screen in order, including those of groups; without recursion, since a
/// plugin decides how deeply groups nest.
package struct ElementWalk: Sequence, IteratorProtocol {
  package enum Step {
    /// An element that is not a group, with the number of sections around it.
    case element(ScreenElement, depth: Int)
    case begin(ElementGroup, depth: Int)
    case end(ElementGroup)
  }

  /// The open groups, the screen first, each with what is still to come of it.
  private var stack:
    [(
      group: ElementGroup?, depth: Int, elements: ArraySlice<ScreenElement>,
      columns: ArraySlice<[ScreenElement]>
    )]

  package init(_ elements: [ScreenElement]) { stack = [(nil, 0, elements[...], [])] }

  package mutating func next() -> Step? {
    guard var rest = stack.popLast() else { return nil }
    let depth = rest.depth
    let element = rest.elements.popFirst()
    let column = element == nil ? rest.columns.popFirst() : nil
    if element == nil, column == nil { return rest.group.map(Step.end) }
    stack.append(rest)
    let group: ElementGroup
    switch element {
    case .section(let title, let elements)?:
      group = .section(title: title)
      stack.append((group, depth + 1, elements[...], []))
    case .columns(let columns)?:
      group = .columns(count: columns.count)
      stack.append((group, depth, [], columns[...]))
    case let element?: return .element(element, depth: depth)
    case nil:
      group = .column
      stack.append((group, depth, column?[...] ?? [], []))
    }
    return .begin(group, depth: depth)
  }
}

/// What is shown around a feature's screen: the path, tabs, notices and the state of the app.
public struct Chrome: Sendable {
  /// The node names from the first one to the current one; if there are more than 32, the first one
  /// and the last 31.
  public var path: [String]
  public var titles: [String]
  /// The number of nodes of the whole path.
  public var depth: Int
  /// The tabs of the nearest container; empty if there is none.
  public var tabs: [Tab]
  public var isModal: Bool
  /// Notices that are shown once.
  public var notices: [Notice]
  public var isSettled: Bool
  /// The number of the past step that is shown, and of the last one; `nil` for the present.
  public var rewound: (step: Int, last: Int)?
  /// The cause of the screen, for programs that follow the app; `nil` if not requested.
  public var cause: ScreenCause?

  /// Creates the chrome of a screen; by default the depth is the length of the path, and the titles
  /// are the names of the nodes.
  public init(
    path: [String] = [], titles: [String]? = nil, depth: Int? = nil, tabs: [Tab] = [],
    isModal: Bool = false, notices: [Notice] = [], isSettled: Bool = true,
    cause: ScreenCause? = nil
  ) {
    self.path = path
    self.titles = titles ?? path
    self.depth = depth ?? path.count
    self.tabs = tabs
    self.isModal = isModal
    self.notices = notices
    self.isSettled = isSettled
    self.cause = cause
  }
}

public struct ScreenCause: Hashable, Sendable {
  /// The origin in one word: `start`, `line`, or the origin of the action, such as `effect` or
  /// `route`.
  public let origin: String
  /// The number of the line that led to the screen, counted from 1; `nil` if none did.
  public let line: Int?
  /// The last action that was reduced, without secrets.
  public let action: String?
  /// The node of the action's instance.
  public let node: String?

  public init(origin: String, line: Int? = nil, action: String? = nil, node: String? = nil) {
    self.origin = origin
    self.line = line
    self.action = action
    self.node = node
  }
}

public struct Tab: Sendable {
  public let name: String
  public let title: String
  public let isSelected: Bool

  /// Creates a tab; its default title is its name.
  public init(_ name: String, title: String? = nil, isSelected: Bool = false) {
    self.name = name
    self.title = title ?? name
    self.isSelected = isSelected
  }
}

/// A notice, shown once above the screen.
public struct Notice: Sendable {
  public let text: String
  public let style: TextStyle
  /// The code of the rejection or problem; `nil` if there is none.
  public let code: String?

  public init(_ text: String, style: TextStyle = .warning, code: String? = nil) {
    self.text = text
    self.style = style
    self.code = code
  }
}
