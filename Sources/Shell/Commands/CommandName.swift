/// The name of a command; the cases are in the order in which help lists them.
public enum CommandName: String, CaseIterable, Hashable, Sendable {
  case back
  case dismiss
  case tab
  case open
  case press
  case next
  case previous = "prev"
  case page
  case find
  case path
  case graph
  case state
  case log
  case plugins
  case reload
  case resume
  case explain
  case timeline
  case rewind
  case forward
  case goto
  case now
  case `continue`
  case diff
  case record
  case wait
  case sleep
  case expect
  case expectPath = "expect-path"
  case history
  case again
  case help
  case quit
}

extension CommandName {
  /// The commands that need the steps before them.
  package static let ofTimeline: Set<CommandName> = [
    .timeline, .rewind, .forward, .goto, .now, .continue, .diff, .record,
  ]

  /// Whether a line of a script may be a command that needs the steps before it.
  package static func mayNeedTimeline(_ script: some Sequence<UInt8>) -> Bool {
    func isOfTimeline(_ text: ArraySlice<UInt8>) -> Bool {
      let word = text.prefix { (0x61...0x7a).contains($0) }
      return CommandName(rawValue: String(decoding: word, as: UTF8.self))
        .map(ofTimeline.contains) ?? false
    }
    return script.split(separator: 0x0a).contains { line in
      let text = line.drop { [0x20, 0x09, 0xef, 0xbb, 0xbf].contains($0) }
      switch text.first {
      case UInt8(ascii: ":"): return isOfTimeline(text.dropFirst())
      // A JSON object may contain the command.
      case UInt8(ascii: "{"):
        return text.indices.contains { index in
          text[index] == UInt8(ascii: ":") && isOfTimeline(text[(index + 1)...])
        }
      default: return false
      }
    }
  }

  /// The command's syntax, for help and messages.
  public var usage: String {
    switch self {
    case .tab: ":tab NAME"
    case .open: ":open LINK"
    case .press: ":press N"
    case .page: ":page N"
    case .find: ":find TEXT"
    case .path: ":path [--full]"
    case .log: ":log [--slow TIME | --times]"
    case .reload: ":reload [PLUGIN]"
    case .resume: ":resume PLUGIN"
    case .wait: ":wait [SECONDS]"
    case .sleep: ":sleep SECONDS"
    case .expect: ":expect TEXT [within SECONDS]"
    case .expectPath: ":expect-path LINK"
    case .history: ":history [TEXT]"
    case .explain: ":explain [CODE]"
    case .again: ":again N"
    case .rewind: ":rewind [N]"
    case .forward: ":forward [N]"
    case .goto: ":goto N"
    case .diff: ":diff [N]"
    case .record: ":record FILE"
    case .help: ":help [COMMAND]"
    default: ":\(rawValue)"
    }
  }

  /// The command's one-line description.
  public var summary: String {
    switch self {
    case .back: "go back"
    case .dismiss: "close the dialog in front"
    case .tab: "select a tab"
    case .open: "open a link"
    case .press: "press the control with a number"
    case .next: "show the next page of a list"
    case .previous: "show the previous page"
    case .page: "show one page of a list"
    case .find: "show the next row that contains a text"
    case .path: "print the current path"
    case .graph: "draw the app's screens and routes"
    case .state: "print the state of the screen's feature"
    case .log: "print the last lines and actions"
    case .plugins: "list the plugins"
    case .reload: "reload a plugin, or the manifest"
    case .resume: "use a suspended plugin again"
    case .timeline: "list the last steps"
    case .rewind: "show the app N steps before"
    case .forward: "show the app N steps later"
    case .goto: "show the app after a step"
    case .now: "show the present"
    case .continue: "continue from the step that is shown"
    case .diff: "show what a step changed"
    case .record: "write the steps to a file"
    case .explain: "explain why something was refused or dropped"
    case .wait: "wait until the app has settled"
    case .sleep: "let time pass"
    case .expect: "fail unless the screen shows a text"
    case .expectPath: "fail unless this is the path"
    case .history: "list earlier lines"
    case .again: "type an earlier line again"
    case .help: "show what can be typed"
    case .quit: "leave the app"
    }
  }
}
