public import Support

/// A command of the shell: its name, what help says about it, and how its argument is read.
///
/// What it does is up to the app, which is given the ``Command`` that a line was read as.
public struct ShellCommand: Sendable {
  /// The name, without the `:`.
  public let name: String
  /// The syntax, for help and messages.
  public let usage: String
  public let summary: String
  /// The detailed description, one paragraph per element.
  public let details: [String]
  /// Whether it needs the steps before it.
  let isOfTimeline: Bool
  let argument: ArgumentForm

  private init(
    _ name: String, takes written: String = "", _ summary: String, isOfTimeline: Bool = false,
    _ details: [String], _ argument: ArgumentForm
  ) {
    self.name = name
    usage = ":" + name + (written.isEmpty ? "" : " " + written)
    self.summary = summary
    self.details = details
    self.isOfTimeline = isOfTimeline
    self.argument = argument
  }
}

/// What follows the name of a command, and the command that is made of it.
indirect enum ArgumentForm: Sendable {
  case none(Command)
  case text(@Sendable (String) -> Command)
  case optionalText(@Sendable (String?) -> Command)
  case number(@Sendable (Int) -> Command)
  case optionalNumber(@Sendable (Int?) -> Command)
  /// A number of steps, 1 unless given.
  case steps(@Sendable (Int) -> Command)
  case seconds(@Sendable (Double) -> Command)
  case optionalSeconds(@Sendable (Double?) -> Command)
  /// The name of a command, or nothing.
  case command(@Sendable (ShellCommand?) -> Command)
  /// This option, or nothing.
  case option(String, @Sendable (Bool) -> Command)
  case logQuery(@Sendable (LogQuery) -> Command)
  /// `TEXT [within SECONDS]`.
  case expectation(@Sendable (String, Double?) -> Command)
}

extension ShellCommand: Hashable {
  public static func == (first: ShellCommand, second: ShellCommand) -> Bool {
    first.name == second.name
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ShellCommand {
  /// All commands, in the order in which help lists them.
  public static let all: [ShellCommand] = [
    .back, .dismiss, .tab, .open, .press, .next, .previous, .page, .find, .sort, .path, .graph,
    .state, .log, .plugins, .reload, .resume, .explain, .timeline, .rewind, .forward, .goto, .now,
    .continue, .diff, .record, .screenshot, .wait, .sleep, .expect, .expectPath, .history, .again,
    .fullScreen, .lines, .help, .quit,
  ]

  /// Those that do no more than the controls and the lists of a screen.
  package static let ofControls: Set<ShellCommand> = [.back, .press, .next, .previous, .page]
  /// Those of people who use an app and don't develop it.
  package static let ofUsers = ofControls.union([.find, .sort, .tab, .dismiss, .help])

  package static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  public static let back = ShellCommand(
    "back", "go back",
    [
      "A screen may handle this itself, for example by asking whether to discard changes.",
      "Refused on the first screen.",
    ], .none(.back))

  public static let dismiss = ShellCommand(
    "dismiss", "close the dialog in front",
    [
      "Every screen that was opened in the dialog is closed too.",
      "If the screen in front asks before it is left, answer it first.",
    ], .none(.dismiss))

  public static let tab = ShellCommand(
    "tab", takes: "NAME", "select a tab",
    [
      "NAME is the tab's full name or title, ignoring case. Refused while a dialog covers the tabs."
    ], .text(Command.tab))

  public static let open = ShellCommand(
    "open", takes: "LINK", "open a link",
    [
      "LINK is a link that the app declares, or a path as printed by ':path --full'. It is checked "
        + "before anything changes.",
      "If the screen in front asks before it is left, answer it first.",
    ], .text { .open(link: $0) })

  public static let press = ShellCommand(
    "press", takes: "N", "press the control with a number",
    [
      "Use it if the number is also the label of another control.",
      "For a control that needs a value, write 'N VALUE'.",
    ], .number(Command.press))

  public static let next = ShellCommand(
    "next", "show the next page of a list", pagingDetails, .none(.next))

  public static let previous = ShellCommand(
    "prev", "show the previous page", pagingDetails, .none(.previous))

  private static let pagingDetails = [
    "If a screen has several lists, this pages the one that was paged last; at its end, it pages "
      + "the next one."
  ]

  public static let page = ShellCommand(
    "page", takes: "N", "show one page of a list",
    ["Pages are counted from 1. If a screen has several lists, this pages the one paged last."],
    .number(Command.page))

  public static let find = ShellCommand(
    "find", takes: "TEXT", "show the next row that contains a text",
    [
      "Searches every cell, ignoring case, starting after the row that was found last, and wraps "
        + "around at the end.",
      "TEXT in double quotes is read as a JSON string.",
    ], .text(Command.find))

  public static let sort = ShellCommand(
    "sort", takes: "COLUMN", "sort a table by a column",
    [
      "COLUMN is a column's title, ignoring case; again, it sorts in the other direction.",
      "If several tables have such a column, the first one is sorted; ':sort @ID COLUMN' names "
        + "another.",
    ], .text(Command.sort))

  public static let path = ShellCommand(
    "path", takes: "[--full]", "print the current path",
    [
      "The middle of a long path is left out; ':path --full' prints all of it, for ':open'. Secrets "
        + "are always left out."
    ], .option("--full") { .path(full: $0) })

  public static let graph = ShellCommand(
    "graph", "draw the app's screens and routes", ["The current position is marked."], .none(.graph)
  )

  public static let state = ShellCommand(
    "state", "print the state of the screen's feature",
    [
      "The state is shown as a tree, as the feature encodes it; changes by the last line are "
        + "marked. Secrets are left out."
    ], .none(.state))

  public static let log = ShellCommand(
    "log", takes: "[--slow TIME | --times]", "print the last lines and actions",
    [
      "Shows the origin, the instance, the duration and the result of each. Secrets are left out.",
      "With '--slow TIME', only the actions that took at least that long, of the latest 256 entries; "
        + "TIME has a unit, such as 250us, 5ms or 1s.",
      "With '--times', how often each kind of action was reduced since the app started, and how long "
        + "that took, the largest total first.",
    ], .logQuery(Command.log))

  public static let plugins = ShellCommand(
    "plugins", "list the plugins",
    ["Shows the version, the features, the file and the status of each."], .none(.plugins))

  public static let reload = ShellCommand(
    "reload", takes: "[PLUGIN]", "reload a plugin, or the manifest",
    [
      "A folder of sources is built first. The state of every screen is carried over; effects are "
        + "cancelled, and the feature starts new ones. If anything fails, nothing changes and the "
        + "reason is printed.",
      "Without PLUGIN, the manifest is read again, with the plugins that have changed. Screens whose "
        + "nodes are still there continue; the reason is printed for those that do not.",
      "'appcore run --watch' does so whenever a file is saved.",
    ], .optionalText { .reload(plugin: $0) })

  public static let resume = ShellCommand(
    "resume", takes: "PLUGIN", "use a suspended plugin again",
    [
      "A plugin is suspended when it has crashed again and again, and so is an instance that has "
        + "crashed twice in the same way. Their data is kept; this lets them continue with it."
    ], .text { .resume(plugin: $0) })

  public static let explain = ShellCommand(
    "explain", takes: "[CODE]", "explain why something was refused or dropped",
    [
      "Without CODE, explains the last line or action: the reason, the remedy, and the line and "
        + "actions that led to it.",
      "With CODE, explains the code at the end of a message, like 'appcore explain'.",
    ], .optionalText { .explain(code: $0) })

  public static let timeline = ShellCommand(
    "timeline", "list the last steps", isOfTimeline: true,
    [
      "Shows the last 50 steps: the number, the time since the beginning, the line or the source, the "
        + "action, what it changed and how long it took. A step is one action that was reduced."
    ], .none(.timeline))

  public static let rewind = ShellCommand(
    "rewind", takes: "[N]", "show the app N steps before", isOfTimeline: true,
    [
      "N is how many steps, 1 unless given. Effects continue, nothing can be pressed, and ':now' "
        + "shows the present again.",
      "Values that features share are shown as they were, too.",
    ], .steps(Command.rewind))

  public static let forward = ShellCommand(
    "forward", takes: "[N]", "show the app N steps later", isOfTimeline: true,
    ["N is how many steps, 1 unless given. After the last step it is ':now'."],
    .steps(Command.forward))

  public static let goto = ShellCommand(
    "goto", takes: "N", "show the app after a step", isOfTimeline: true,
    ["N is a number printed by ':timeline'."], .number(Command.goto))

  public static let now = ShellCommand(
    "now", "show the present", isOfTimeline: true,
    ["The steps since then are still there; ':forward' shows them."], .none(.now))

  public static let `continue` = ShellCommand(
    "continue", "continue from the step that is shown", isOfTimeline: true,
    [
      "Effects end, and each screen begins those again that it continues with, as after a crash. That "
        + "is a step too: rewinding to one before it undoes it.",
      "Values that features share stay as they are now.",
    ], .none(.continue))

  public static let diff = ShellCommand(
    "diff", takes: "[N]", "show what a step changed", isOfTimeline: true,
    ["Without N, the step that is shown, or the last one. Secrets are left out."],
    .optionalNumber(Command.diff))

  public static let record = ShellCommand(
    "record", takes: "FILE", "write the steps to a file", isOfTimeline: true,
    [
      "Writes a recording without secrets, for 'appcore replay' and for a bug report. 'appcore run "
        + "--record FILE' records from the beginning."
    ], .text(Command.record))

  public static let screenshot = ShellCommand(
    "screenshot", takes: "FILE", "write a picture of the screen",
    [
      "Writes the screen to a file in the format SVG, as it is full screen, or as it would be in a "
        + "window of 80 by 24 cells. 'appcore run --screenshot FILE' does so after all other lines."
    ], .text(Command.screenshot))

  public static let wait = ShellCommand(
    "wait", takes: "[SECONDS]", "wait until the app has settled",
    [
      "The app has settled when no action is queued and every effect has ended or waits on a "
        + "clock. SECONDS is the limit, 5 unless given; in a script, it also applies to the lines "
        + "after it.",
      "A timer waits on a clock: ':sleep' and ':expect TEXT within SECONDS' let time pass.",
    ], .optionalSeconds { .wait(seconds: $0) })

  public static let sleep = ShellCommand(
    "sleep", takes: "SECONDS", "let time pass",
    ["Effects keep running meanwhile. Then the screen is printed."],
    .seconds { .sleep(seconds: $0) })

  public static let expect = ShellCommand(
    "expect", takes: "TEXT [within SECONDS]", "fail unless the screen shows a text",
    [
      "For scripts: searches the screen for TEXT once it has settled, ignoring case; if TEXT isn't "
        + "there, the script ends.",
      "With 'within', succeeds as soon as the screen shows TEXT, and otherwise ends the script "
        + "after that time.",
      "TEXT in double quotes is read as a JSON string.",
    ], .expectation { .expect($0, within: $1) })

  public static let expectPath = ShellCommand(
    "expect-path", takes: "LINK", "fail unless this is the path",
    ["For scripts: LINK is a path as printed by ':path --full'."], .text { .expectPath(link: $0) })

  public static let history = ShellCommand(
    "history", takes: "[TEXT]", "list earlier lines",
    [
      "With TEXT, lists only lines that contain it, ignoring case; at most 20, with their numbers.",
      "Lines with secrets, and those that begin with a space, are not kept. 'appcore run "
        + "--no-history' and APPCORE_HISTORY=off keep none.",
    ], .optionalText(Command.history))

  public static let again = ShellCommand(
    "again", takes: "N", "type an earlier line again", ["N is a number printed by ':history'."],
    .number(Command.again))

  public static let fullScreen = ShellCommand(
    "full-screen", "show the app full screen",
    [
      "Keys move between controls and use them; F1 lists them. ':lines' returns to lines.",
      "Needs a terminal of 20 by 5 cells that is not in plain mode.",
    ], .none(.fullScreen))

  public static let lines = ShellCommand(
    "lines", "show the app as lines",
    ["Leaves full screen; the app stays where it is."], .none(.lines))

  public static let help = ShellCommand(
    "help", takes: "[COMMAND]", "show what can be typed",
    ["':help COMMAND' describes one command in detail."], .command(Command.help))

  public static let quit = ShellCommand(
    "quit", "leave the app", ["Works on every screen; features save their data."], .none(.quit))

  /// Whether a line of a script may be a command that needs the steps before it.
  package static func mayNeedTimeline(_ script: some Sequence<UInt8>) -> Bool {
    func isOfTimeline(_ text: ArraySlice<UInt8>) -> Bool {
      let word = text.prefix { (0x61...0x7a).contains($0) }
      return named[String(decoding: word, as: UTF8.self)]?.isOfTimeline ?? false
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
}

public enum Help {
  /// The description of `command` or, if it is `nil`, an overview of the syntax of lines and of
  /// `commands`; without newlines.
  public static func lines(
    _ command: ShellCommand? = nil, commands: Set<ShellCommand>, width: Int, style: Style = .plain
  ) -> [String] {
    let width = max(min(width, TextFrame.maximumTextWidth), 20)
    let lines =
      command.map { about($0, width: width) } ?? overview(commands: commands, width: width)
    return lines.map { $0.text(style) }
  }

  private static let lineForms = [
    ("N [VALUE]", "the control with a number, as '3' or '3 text'"),
    ("@ID [VALUE]", "the control with an identifier, on any page"),
    ("LABEL [= VALUE]", "the control with a label, on any page"),
    ("N <<END", "the lines that follow, up to END, are the value"),
    ("# TEXT", "a comment"),
  ]

  private static func overview(commands: Set<ShellCommand>, width: Int) -> [StyledLine] {
    let entries = ShellCommand.all.filter(commands.contains).map { ($0.usage, $0.summary) }
    let column = (lineForms + entries).map(\.0.count).filter { $0 <= longestBeside }.max() ?? 0
    return [StyledLine("Controls", .strong)] + columns(lineForms, column, width)
      + [StyledLine(), StyledLine("Commands", .strong)] + columns(entries, column, width)
      + [StyledLine()]
      + StyledLine.wrap(
        "A value in double quotes is read as a JSON string: \"\" is the empty text.", to: width,
        .dim)
  }

  /// The maximum length of a syntax beside its description; a longer one is on its own line.
  private static let longestBeside = 18

  private static func columns(
    _ entries: [(String, String)], _ column: Int, _ width: Int
  ) -> [StyledLine] {
    entries.flatMap { usage, text in
      let isBeside = usage.count <= column
      let text = TextLayout.wrap(text, to: max(width - column - 4, 12))
      return (isBeside ? [] : [StyledLine("  " + usage, .number)])
        + StyledLine.columns(isBeside ? ["  " + usage] : [], .number, width: column + 2, text)
    }
  }

  private static func about(_ command: ShellCommand, width: Int) -> [StyledLine] {
    let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."
    return [StyledLine(command.usage, .number)]
      + ([summary] + command.details).flatMap { paragraph in
        StyledLine.wrap(paragraph, to: width - 2).map { StyledLine("  ") + $0 }
      }
  }
}
