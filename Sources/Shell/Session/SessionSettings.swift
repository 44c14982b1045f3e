public import Support

/// How a session reads and prints.
public struct SessionSettings: Sendable {
  /// The output format of screens.
  public enum Format: Sendable {
    case text(Style)
    case json
  }

  public var format: Format
  /// Whether there is a user to ask for a value.
  public var isInteractive: Bool
  /// In columns.
  public var width: Int
  /// How many rows of a list are shown at a time where there is no window.
  public var pageSize: Int
  /// How many rows the window has that shows the screens: a page of a list is as long as it allows.
  public var windowRows: Int?
  /// The commands that the app can carry out.
  public var commands: Set<CommandName>
  /// Whether JSON tells what caused each screen, and which line was refused: where screens come
  /// unasked.
  public var tellsCauses = false
  /// The script's name in messages, such as its file; `nil` for lines from a pipe.
  public var scriptName: String?
  /// The style of refusals if they go to a different stream than screens.
  public var errorStyle: Style?

  /// Creates settings; by default those of a script.
  public init(
    format: Format = .text(.plain), isInteractive: Bool = false, width: Int = 80,
    pageSize: Int = 20, commands: Set<CommandName> = Set(CommandName.allCases)
  ) {
    self.format = format
    self.isInteractive = isInteractive
    self.width = width
    self.pageSize = pageSize
    self.commands = commands
  }

  /// The style of text; plain if the format is JSON.
  public var textStyle: Style { style }

  var isJSON: Bool { if case .json = format { true } else { false } }
  var style: Style { if case .text(let style) = format { style } else { .plain } }
}
