internal import Support

/// Parses a command: the part of a line after the `:`.
struct CommandParser {
  /// The commands that are accepted.
  let supported: Set<CommandName>

  func parse(_ text: Substring) throws(Rejection) -> Command {
    let word = text.prefix { !Scanner.isSpace($0) }
    let name = try name(String(word))
    return try command(name, Scanner.trim(text[word.endIndex...]))
  }

  /// The command called `word`.
  func name(_ word: String) throws(Rejection) -> CommandName {
    let names = CommandName.allCases.filter(supported.contains).map(\.rawValue)
    guard let name = CommandName(rawValue: word) else {
      throw .unknownCommand(word, nearest: Nearest.of(word, in: names), supported: names)
    }
    guard supported.contains(name) else { throw .unsupportedCommand(word, supported: names) }
    return name
  }

  private func command(_ name: CommandName, _ argument: Substring) throws(Rejection) -> Command {
    switch name {
    case .tab: return .tab(try text(name, argument))
    case .open: return .open(link: try text(name, argument))
    case .reload: return .reload(plugin: argument.isEmpty ? nil : try text(name, argument))
    case .resume: return .resume(plugin: try text(name, argument))
    case .find: return .find(try text(name, argument))
    case .expect: return try expect(argument)
    case .expectPath: return .expectPath(link: try text(name, argument))
    case .press: return .press(try number(name, argument))
    case .page: return .page(try number(name, argument))
    case .wait: return .wait(seconds: argument.isEmpty ? nil : try seconds(name, argument))
    case .sleep:
      guard !argument.isEmpty else {
        throw .argumentMissing(command: name.rawValue, usage: name.usage)
      }
      return .sleep(seconds: try seconds(name, argument))
    case .explain: return .explain(code: argument.isEmpty ? nil : try text(name, argument))
    case .history: return .history(argument.isEmpty ? nil : try text(name, argument))
    case .again: return .again(try number(name, argument))
    case .rewind: return .rewind(argument.isEmpty ? 1 : try steps(name, argument))
    case .forward: return .forward(argument.isEmpty ? 1 : try steps(name, argument))
    case .goto: return .goto(try number(name, argument))
    case .diff: return .diff(argument.isEmpty ? nil : try number(name, argument))
    case .record: return .record(try text(name, argument))
    case .timeline: return try plain(name, argument, .timeline)
    case .now: return try plain(name, argument, .now)
    case .continue: return try plain(name, argument, .continue)
    case .help:
      if argument.isEmpty { return .help(nil) }
      let word = argument.first == ":" ? argument.dropFirst() : argument
      return .help(try self.name(String(word)))
    case .path:
      if argument.isEmpty { return .path(full: false) }
      guard argument == "--full" else {
        throw .badArgument(command: "path", argument: String(argument), expected: "--full")
      }
      return .path(full: true)
    case .back: return try plain(name, argument, .back)
    case .dismiss: return try plain(name, argument, .dismiss)
    case .graph: return try plain(name, argument, .graph)
    case .state: return try plain(name, argument, .state)
    case .log: return .log(try logQuery(argument))
    case .plugins: return try plain(name, argument, .plugins)
    case .next: return try plain(name, argument, .next)
    case .previous: return try plain(name, argument, .previous)
    case .quit: return try plain(name, argument, .quit)
    }
  }

  private func logQuery(_ argument: Substring) throws(Rejection) -> LogQuery {
    let words = argument.split(whereSeparator: Scanner.isSpace)
    switch (words.first, words.count) {
    case (nil, _): return .latest
    case ("--times", 1): return .times
    case ("--slow", 1):
      throw .argumentMissing(command: CommandName.log.rawValue, usage: CommandName.log.usage)
    case ("--slow", 2):
      guard let limit = DurationParser.duration(words[1]) else {
        throw .badArgument(
          command: CommandName.log.rawValue, argument: String(words[1]),
          expected: DurationParser.expected)
      }
      return .slow(limit)
    default:
      throw .badArgument(
        command: CommandName.log.rawValue, argument: String(argument),
        expected: "--slow TIME or --times")
    }
  }

  private func plain(
    _ name: CommandName, _ argument: Substring, _ command: Command
  ) throws(Rejection) -> Command {
    guard argument.isEmpty else {
      throw .argumentUnexpected(command: name.rawValue, usage: name.usage)
    }
    return command
  }

  private func text(_ name: CommandName, _ argument: Substring) throws(Rejection) -> String {
    let text = try Scanner.decoded(argument)
    guard !text.isEmpty else {
      throw .argumentMissing(command: name.rawValue, usage: name.usage)
    }
    return text
  }

  private func number(_ name: CommandName, _ argument: Substring) throws(Rejection) -> Int {
    guard !argument.isEmpty else {
      throw .argumentMissing(command: name.rawValue, usage: name.usage)
    }
    guard argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(argument)
    else {
      throw .badArgument(
        command: name.rawValue, argument: String(argument), expected: "a whole number from 1")
    }
    return number
  }

  /// A number of steps, of which there is at least one.
  private func steps(_ name: CommandName, _ argument: Substring) throws(Rejection) -> Int {
    let count = try number(name, argument)
    guard count > 0 else {
      throw .badArgument(
        command: name.rawValue, argument: String(argument), expected: "a whole number from 1")
    }
    return count
  }

  private func seconds(_ name: CommandName, _ argument: Substring) throws(Rejection) -> Double {
    guard let seconds = DecimalParser.double(argument), (0...86_400).contains(seconds) else {
      throw .badArgument(
        command: name.rawValue, argument: String(argument), expected: "seconds from 0 to 86400")
    }
    return seconds
  }

  /// Parses `TEXT [within SECONDS]`.
  ///
  /// A text that itself ends with `within` and a word that begins with a digit or a sign must be
  /// written as a JSON string; other words after `within` belong to the text.
  private func expect(_ argument: Substring) throws(Rejection) -> Command {
    let words = argument.split(whereSeparator: Scanner.isSpace)
    guard words.count > 2, words[words.count - 2] == "within", let last = words.last,
      last.last != "\"",
      last.first.map({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }) == true
    else { return .expect(try text(.expect, argument), within: nil) }
    let wanted = Scanner.trim(argument[..<words[words.count - 2].startIndex])
    return .expect(try text(.expect, wanted), within: try seconds(.expect, last))
  }
}

/// Parses a duration with its unit, such as `5ms`.
enum DurationParser {
  /// The expected syntax, for messages.
  static let expected = "a time with its unit, such as 250us, 5ms or 1s"

  /// Parses a duration; `nil` if the text is malformed, has no unit or is longer than a day.
  static func duration(_ text: some StringProtocol) -> Duration? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = DecimalParser.double(digits), let unit = unit(text[digits.endIndex...])
    else {
      return nil
    }
    // Rounded to nanoseconds, in which actions are measured.
    let nanoseconds = (number * unit).rounded()
    guard nanoseconds <= 86_400e9 else { return nil }
    return .nanoseconds(Int(nanoseconds))
  }

  /// The number of nanoseconds in a unit; `nil` if the unit is unknown.
  private static func unit(_ name: some StringProtocol) -> Double? {
    switch name {
    // The micro sign, and the Greek letter that looks like it.
    case "us", "\u{b5}s", "\u{3bc}s": 1e3
    case "ms": 1e6
    case "s": 1e9
    default: nil
    }
  }
}
