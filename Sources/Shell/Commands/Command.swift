/// A command that was read from a line; ``ShellCommand`` says what each does.
public enum Command: Hashable, Sendable {
  case back
  case dismiss
  /// The tab is given by its title or by the name of its node.
  case tab(String)
  case open(link: String)
  case graph
  case path(full: Bool)
  case state
  case log(LogQuery)
  case plugins
  case reload(plugin: String?)
  case resume(plugin: String)
  case press(Int)
  case next
  case previous
  case page(Int)
  case find(String)
  /// `nil` stands for the usual limit.
  case wait(seconds: Double?)
  case sleep(seconds: Double)
  /// `nil` stands for the time until the screen has settled.
  case expect(String, within: Double?)
  case expectPath(link: String)
  /// `nil` explains why the last line or action failed.
  case explain(code: String?)
  case timeline
  case rewind(Int)
  case forward(Int)
  case goto(Int)
  case now
  case `continue`
  /// `nil` stands for the step that is shown.
  case diff(Int?)
  case record(String)
  /// The text that the lines contain; `nil` for all lines.
  case history(String?)
  case again(Int)
  case fullScreen
  case lines
  case help(ShellCommand?)
  case quit

  /// Whether a terminal carries it out without the app.
  package var isOfTerminal: Bool {
    switch self {
    case .history, .again, .fullScreen, .lines: true
    default: false
    }
  }
}

/// A selection of what `:log` shows.
public enum LogQuery: Hashable, Sendable {
  case latest
  /// The actions that took at least this long.
  case slow(Duration)
  /// How often each kind of action was reduced, and how long that took.
  case times
}
