@_spi(Host) public import AppCore

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
  /// Whether the screen is in a dialog.
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
