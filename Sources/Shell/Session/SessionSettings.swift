public import Support

public struct SessionSettings: Sendable {
  public enum Format: Sendable {
    case text(Style)
    case json
  }

  public var format: Format
  /// Whether a user can be asked for a missing value.
  public var isInteractive: Bool
  /// The width of text, in columns.
  public var width: Int
  /// The number of rows on a page of a list if `windowRows` is `nil`.
  public var pageSize: Int
  /// The number of rows of the window; `nil` if there is no window.
  ///
  /// With a window, a page of a list is as long as the window allows.
  public var windowRows: Int?
  public var commands: Set<ShellCommand>
  /// Whether JSON output includes the cause of each screen and the number of a rejected line, for
  /// programs that also receive the screens that effects cause.
  public var includesCauses = false
  /// The script's name in messages, such as its path; `nil` for lines from a pipe.
  public var scriptName: String?
  /// The style of rejections if they go to a different stream than screens.
  public var errorStyle: Style?

  /// Creates settings; the defaults are those of a script.
  public init(
    format: Format = .text(.plain), isInteractive: Bool = false, width: Int = 80,
    pageSize: Int = 20, commands: Set<ShellCommand> = Set(ShellCommand.all)
  ) {
    self.format = format
    self.isInteractive = isInteractive
    self.width = width
    self.pageSize = pageSize
    self.commands = commands
  }

  /// The style of text; plain if the format is JSON.
  public var textStyle: Style { if case .text(let style) = format { style } else { .plain } }

  var isJSON: Bool { if case .json = format { true } else { false } }
}
