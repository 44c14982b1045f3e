@_spi(Host) public import AppCore
internal import Support

extension ShellSession {
  /// The output of `:help`, as text or as JSON.
  public func help(_ command: CommandName?) -> [String] {
    let width = settings.isJSON ? TextFrame.maximumTextWidth : settings.width
    let lines = Help.lines(
      command, commands: settings.commands, width: width, style: settings.style)
    return output(lines, of: .help)
  }

  /// A command's output: the lines or, with JSON, one object with all of them as `text`.
  ///
  /// The lines must fit the width and be safe to print, like those of ``Help``.
  public func output(_ lines: [String], of command: CommandName) -> [String] {
    guard settings.isJSON else { return lines }
    var json = JSONWriter()
    json.beginObject()
    json.string(command.rawValue, "command")
    json.string(lines.joined(separator: "\n"), "text")
    json.endObject()
    return [json.text]
  }

  /// A command's output as a value: indented JSON or, with JSON, one object with `value`.
  public func output(_ value: Value, of command: CommandName) -> [String] {
    guard settings.isJSON else { return ValueDrawing.lines(value) }
    var json = JSONWriter()
    json.beginObject()
    json.string(command.rawValue, "command")
    json.raw(value.json, "value")
    json.endObject()
    return [json.text]
  }

  /// A command's output: the lines or, with JSON, one object with `value`.
  ///
  /// The lines must fit the width and be safe to print, like those of ``LogDrawing`` and
  /// ``StateDrawing``.
  public func output(_ lines: [String], value: Value, of command: CommandName) -> [String] {
    settings.isJSON ? output(value, of: command) : lines
  }

  /// Wraps paragraphs to the width and makes them safe to print.
  public func output(paragraphs: [String]) -> [String] {
    paragraphs.flatMap { paragraph in
      settings.style.isLinear
        ? SafeText.lines(SafeText.paragraph(paragraph))
        : TextLayout.wrap(
          SafeText.paragraph(paragraph),
          to: max(min(settings.width, TextFrame.maximumTextWidth), 20))
    }
  }

  /// A command's output as a text, which is wrapped to the width and made safe to print.
  public func output(text: String, of command: CommandName) -> [String] {
    guard !settings.isJSON else { return output([text], of: command) }
    return output(
      TextLayout.wrap(SafeText.paragraph(text), to: max(settings.width, 20)), of: command)
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
    let placement = Placement(screen.content, owner: screen.owner, paging: paging)
    return ScreenSearch(placement, title: screen.content.title, chrome: screen.chrome)
      .contains(text)
  }

  /// The texts of the screen, as ``shows(_:on:)`` searches them.
  package func texts(of screen: ShellScreen) -> [String] {
    let placement = Placement(screen.content, owner: screen.owner, paging: paging)
    return ScreenSearch(placement, title: screen.content.title, chrome: screen.chrome).texts
  }

  /// Whether the line may be stored in a history: `false` if it may contain a secret.
  public func mayRemember(_ text: String, on screen: ShellScreen) -> Bool {
    let index = ControlIndex(screen.content, owner: screen.owner)
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
