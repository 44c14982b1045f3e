internal import Support

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
  /// A column's title, perhaps after a table's identifier.
  case sort(String)
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
  case screenshot(String)
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

/// Reads a command: the part of a line after the `:`.
struct CommandParser {
  private let command: ShellCommand
  private let written: Substring

  /// Reads a command; throws if it is not among the supported ones.
  static func command(
    _ text: Substring, supported: Set<ShellCommand>
  ) throws(Rejection) -> Command {
    let word = text.prefix { !Scanner.isSpace($0) }
    let parser = CommandParser(
      command: try Self.command(named: word, supported),
      written: Scanner.trim(text[word.endIndex...]))
    return try parser.parse(supported)
  }

  private func parse(_ supported: Set<ShellCommand>) throws(Rejection) -> Command {
    let isEmpty = written.isEmpty
    switch command.argument {
    case .none(let command):
      guard isEmpty else {
        throw Rejection(
          .argumentUnexpected,
          "':\(self.command.name)' takes nothing after it: write '\(self.command.usage)'")
      }
      return command
    case .text(let make): return make(try text(written))
    case .optionalText(let make): return make(isEmpty ? nil : try text(written))
    case .number(let make): return make(try number(from: 0))
    case .optionalNumber(let make): return make(isEmpty ? nil : try number(from: 0))
    case .steps(let make): return make(isEmpty ? 1 : try number(from: 1))
    case .seconds(let make): return make(try seconds(written))
    case .optionalSeconds(let make): return make(isEmpty ? nil : try seconds(written))
    case .command(let make):
      let word = written.first == ":" ? written.dropFirst() : written
      return make(isEmpty ? nil : try Self.command(named: word, supported))
    case .option(let name, let make):
      guard isEmpty || written == name else { throw bad(written, expected: name) }
      return make(!isEmpty)
    case .logQuery(let make): return make(try logQuery())
    case .expectation(let make):
      let (text, seconds) = try expectation()
      return make(text, seconds)
    }
  }

  private static func command(
    named word: Substring, _ supported: Set<ShellCommand>
  ) throws(Rejection) -> ShellCommand {
    let names = ShellCommand.all.filter(supported.contains).map(\.name)
    guard let command = ShellCommand.named[String(word)] else {
      throw Rejection(
        .unknownCommand,
        "there is no command ':\(String(word).quoted)'"
          + (NearestName.meant(by: String(word), among: names).map { "; did you mean ':\($0)'?" }
            ?? "; there are \(Rejection.list(names.map { ":\($0)" }))"))
    }
    guard supported.contains(command) else {
      throw .unsupportedCommand(command.name, supported: names)
    }
    return command
  }

  private func text(_ written: Substring) throws(Rejection) -> String {
    let text = try Scanner.decoded(written)
    guard !text.isEmpty else { throw missing() }
    return text
  }

  private func number(from least: Int) throws(Rejection) -> Int {
    guard !written.isEmpty else { throw missing() }
    guard written.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(written),
      number >= least
    else { throw bad(written, expected: "a whole number from 1") }
    return number
  }

  private func seconds(_ text: Substring) throws(Rejection) -> Double {
    guard !text.isEmpty else { throw missing() }
    guard let seconds = Scanner.number(text), (0...86_400).contains(seconds) else {
      throw bad(text, expected: "seconds from 0 to 86400")
    }
    return seconds
  }

  private func logQuery() throws(Rejection) -> LogQuery {
    let words = written.split(whereSeparator: Scanner.isSpace)
    switch (words.first, words.count) {
    case (nil, _): return .latest
    case ("--times", 1): return .times
    case ("--slow", 1): throw missing()
    case ("--slow", 2):
      guard let limit = Scanner.duration(words[1]) else {
        throw bad(words[1], expected: "a time with its unit, such as 250us, 5ms or 1s")
      }
      return .slow(limit)
    default: throw bad(written, expected: "--slow TIME or --times")
    }
  }

  /// Parses `TEXT [within SECONDS]`.
  ///
  /// A text that itself ends with `within` and a word that begins with a digit or a sign must be
  /// written as a JSON string; other words after `within` belong to the text.
  private func expectation() throws(Rejection) -> (text: String, seconds: Double?) {
    let words = written.split(whereSeparator: Scanner.isSpace)
    guard words.count > 2, words[words.count - 2] == "within", let last = words.last,
      last.last != "\"",
      last.first.map({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }) == true
    else { return (try text(written), nil) }
    let wanted = Scanner.trim(written[..<words[words.count - 2].startIndex])
    return (try text(wanted), try seconds(last))
  }

  private func missing() -> Rejection {
    Rejection(.argumentMissing, "':\(command.name)' needs more: write '\(command.usage)'")
  }

  private func bad(_ argument: Substring, expected: String) -> Rejection {
    Rejection(
      .badArgument,
      "':\(command.name)' can't take '\(String(argument).quoted)': expected \(expected)")
  }
}
