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
  /// Shows the app as it is now.
  case now
  /// Continues the app from the step that is shown.
  case `continue`
  /// Shows what a step has changed; `nil` for the step that is shown.
  case diff(Int?)
  /// Writes the steps so far to a file.
  case record(String)
  /// Lists the lines of the history that contain a text; `nil` for all.
  case history(String?)
  /// Sends the line with this number of the history again.
  case again(Int)
  case help(CommandName?)
  case quit

  /// The command's name.
  public var name: CommandName {
    switch self {
    case .back: .back
    case .dismiss: .dismiss
    case .tab: .tab
    case .open: .open
    case .graph: .graph
    case .path: .path
    case .state: .state
    case .log: .log
    case .plugins: .plugins
    case .reload: .reload
    case .resume: .resume
    case .press: .press
    case .next: .next
    case .previous: .previous
    case .page: .page
    case .find: .find
    case .wait: .wait
    case .sleep: .sleep
    case .expect: .expect
    case .expectPath: .expectPath
    case .explain: .explain
    case .history: .history
    case .again: .again
    case .timeline: .timeline
    case .rewind: .rewind
    case .forward: .forward
    case .goto: .goto
    case .now: .now
    case .continue: .continue
    case .diff: .diff
    case .record: .record
    case .help: .help
    case .quit: .quit
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
