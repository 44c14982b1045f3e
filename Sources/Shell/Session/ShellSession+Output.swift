@_spi(Host) public import AppCore
internal import Support

extension ShellSession {
  public func help(_ command: ShellCommand?) -> [String] {
    let width = settings.isJSON ? TextFrame.maximumTextWidth : settings.width
    let lines = Help.lines(
      command, commands: settings.commands, width: width, style: settings.textStyle)
    return output(lines, of: .help)
  }

  /// A command's output: the lines or, with JSON, one object with all of them as `text`.
  ///
  /// The lines must fit the width and be safe to print, like those of ``Help``.
  public func output(_ lines: [String], of command: ShellCommand) -> [String] {
    guard settings.isJSON else { return lines }
    let text = JSONTree.string(lines.joined(separator: "\n"))
    return [JSONTree.object([("command", .string(command.name)), ("text", text)]).line]
  }

  /// A command's output: the lines or, with JSON, one object with `value`.
  ///
  /// The lines must fit the width and be safe to print, like those of ``LogDrawing`` and
  /// ``StateDrawing``.
  public func output(_ lines: [String], value: Value, of command: ShellCommand) -> [String] {
    guard settings.isJSON else { return lines }
    return [#"{"command":\#(JSONTree.quote(command.name)),"value":\#(value.json)}"#]
  }

  /// Wraps paragraphs to the width and makes them safe to print.
  public func output(paragraphs: [String]) -> [String] {
    paragraphs.flatMap { paragraph in
      settings.textStyle.isLinear
        ? SafeText.lines(SafeText.paragraph(paragraph))
        : TextLayout.wrap(
          SafeText.paragraph(paragraph),
          to: max(min(settings.width, TextFrame.maximumTextWidth), 20))
    }
  }
}

extension ShellSession {
  /// The screen as the JSON value that would be printed next; the session does not change.
  ///
  /// The value is `null` for a screen whose sections nest more deeply than a JSON line may.
  package func value(of screen: ShellScreen) -> Value {
    var copy = self
    copy.settings.format = .json
    guard let line = copy.frame(screen).first else { return .null }
    return (try? JSONReader.value(line.utf8)) ?? .null
  }
}

extension ShellSession {
  /// Whether the current pages of the screen contain `text`, ignoring case.
  public func shows(_ text: String, on screen: ShellScreen) -> Bool {
    Placement(screen, paging: paging).contains(text)
  }

  /// The texts of the screen, as ``shows(_:on:)`` searches them.
  package func texts(of screen: ShellScreen) -> [String] {
    Placement(screen, paging: paging).texts
  }

  /// Whether the line may be stored in a history: `false` if it may contain a secret.
  public func mayRemember(_ text: String, on screen: ShellScreen) -> Bool {
    let index = ControlIndex(screen)
    guard index.hasSecret else { return true }
    guard let line = try? LineParser(supported: settings.commands).parse(text) else {
      return false
    }
    switch line {
    case .nothing, .command, .number(_, nil, _), .identifier(_, nil): return true
    case .label(let label, nil): return !index.targets(label: label).isEmpty
    case .number(_, _?, _), .identifier(_, _?), .label(_, _?):
      let resolver = resolver(screen, lastShown, canAsk: false)
      guard case .activate(let activation) = try? resolver.resolve(line) else { return false }
      return !activation.isSecret
    }
  }
}

// Descriptions of lines for logs.
extension ShellSession {
  /// The maximum number of characters of a line in a log.
  private static let loggedLimit = 200
  private static let hidden = "<secret>"

  /// A line for a log: as it was typed, safe to print, without anything that may be a secret.
  ///
  /// If the screen has a secret field, a value is hidden unless it is certainly for another
  /// control: the name may be misspelt.
  public func logged(_ bytes: some Collection<UInt8>, on screen: ShellScreen) -> String {
    guard let text = try? LineParser.text(bytes) else { return "a line that can't be read" }
    if mayRemember(text, on: screen) { return Self.cut(String(Scanner.trim(text[...]))) }
    if settings.isJSON, text.contains("{") { return "a JSON line" }
    switch try? LineParser(supported: settings.commands).parse(text) {
    case .identifier(let id, _): return Self.cut("@" + id) + " " + Self.hidden
    case .number(let number, _, _): return "\(number) " + Self.hidden
    case .label, .command, .nothing, nil: return Self.hidden
    }
  }

  /// The line of a script that does the same as a line without secrets, which may be a JSON object
  /// with a line in it; `nil` for other JSON objects, and if the line can't be read.
  public func scriptLine(_ bytes: some Collection<UInt8>) -> String? {
    guard let text = try? LineParser.text(bytes) else { return nil }
    let line = Scanner.trim(text[...])
    guard settings.isJSON, line.first == "{" else { return String(line) }
    guard case .line(let inner)? = (try? JSONLine(text))?.target else { return nil }
    return inner
  }

  /// The line that began the unfinished text, without the text; `nil` if there is none.
  public var loggedText: String? {
    guard let pending else { return nil }
    switch pending.line {
    case .identifier(let id, _): return Self.cut("@\(id) <<\(pending.end)")
    case .number(let number, _, _): return Self.cut("\(number) <<\(pending.end)")
    case .label(let label, _): return Self.cut("\(label) = <<\(pending.end)")
    case .nothing, .command: return "a text"
    }
  }

  private static func cut(_ text: String) -> String {
    let shown = text.prefix(loggedLimit)
    return SafeText.line(String(shown)) + (shown.endIndex == text.endIndex ? "" : "…")
  }
}
