/// A command that was read from a line.
public enum Command: Hashable, Sendable {
  case back
  case dismiss
  /// Selects the tab with this title or node name.
  case tab(String)
  case open(link: String)
  case graph
  case path(full: Bool)
  case state
  case log(LogQuery)
  case plugins
  case reload(plugin: String?)
  /// Uses a suspended plugin again.
  case resume(plugin: String)
  /// Presses the control with this number, even if the number is also the label of another one.
  case press(Int)
  case next
  case previous
  /// Shows this page, counted from 1, of a list.
  case page(Int)
  /// Shows the next row that contains the text.
  case find(String)
  /// Waits until the screen has settled, for this many seconds at most; `nil` for the usual limit.
  case wait(seconds: Double?)
  /// Waits for this many seconds.
  case sleep(seconds: Double)
  /// Fails unless the screen shows the text: once it has settled, or within this many seconds.
  case expect(String, within: Double?)
  /// Fails unless this is the full path of the current screen.
  case expectPath(link: String)
  /// Explains a code; `nil` explains why the last line or action failed.
  case explain(code: String?)
  /// Lists the last steps.
  case timeline
  /// Shows the app as it was this many steps earlier.
  case rewind(Int)
  /// Shows the app as it was this many steps later.
  case forward(Int)
  /// Shows the app as it was after the step with this number.
  case goto(Int)
  case now
  /// Continues the app from the step that is shown.
  case `continue`
  /// Shows what a step has changed; `nil` for the step that is shown.
  case diff(Int?)
  /// Writes the steps so far to a file.
  case record(String)
  /// Writes a picture of the screen to a file.
  case screenshot(String)
  /// Lists the lines of the history that contain a text; `nil` for all.
  case history(String?)
  /// Sends the line with this number of the history again.
  case again(Int)
  /// Shows screens full screen.
  case fullScreen
  /// Shows screens as lines.
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
  /// The latest lines and actions.
  case latest
  /// The actions that took at least this long.
  case slow(Duration)
  /// How often each kind of action was reduced, and how long that took.
  case times
}
