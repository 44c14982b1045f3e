/// A command that was read from a line.
public enum Command: Hashable, Sendable {
  case back
  case dismiss
  /// The tab's node name or title.
  case tab(String)
  case open(link: String)
  case graph
  case path(full: Bool)
  case state
  case log(LogQuery)
  case plugins
  case reload(plugin: String?)
  /// Lets a plugin that was suspended continue.
  case resume(plugin: String)
  case press(Int)
  case next
  case previous
  /// Counted from 1.
  case page(Int)
  case find(String)
  /// How long to wait for a screen to settle, in seconds; `nil` for the usual time.
  case wait(seconds: Double?)
  /// Lets time pass, in seconds.
  case sleep(seconds: Double)
  /// A text that the screen must show: once it has settled, or within so many seconds.
  case expect(String, within: Double?)
  case expectPath(link: String)
  /// Explains a code; `nil` explains why the last line or action failed.
  case explain(code: String?)
  /// Lists the last steps.
  case timeline
  /// Shows the app as it was so many steps before.
  case rewind(Int)
  /// Shows the app as it was so many steps later.
  case forward(Int)
  /// Shows the app as it was after a step.
  case goto(Int)
  /// Shows the app as it is.
  case now
  /// Makes the step that is shown the present one.
  case `continue`
  /// What a step has changed; `nil` for the one that is shown.
  case diff(Int?)
  /// Writes the steps so far to a file.
  case record(String)
  /// The lines of the history that hold a text; `nil` for all.
  case history(String?)
  /// The line with that number once more.
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

/// What `:log` is asked for.
public enum LogQuery: Hashable, Sendable {
  /// The latest lines and actions.
  case latest
  /// The actions that took at least this long.
  case slow(Duration)
  /// How often each kind of action was reduced, and how long that took.
  case times
}
