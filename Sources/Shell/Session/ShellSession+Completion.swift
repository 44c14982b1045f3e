@_spi(Host) public import AppCore
package import Support

extension ShellSession {
  /// The completions of a line that begins with `head`, ignoring case; at most 200.
  ///
  /// Each replaces the whole of `head`. They are commands and their arguments, identifiers after
  /// `@`, labels, and the options of a choice after its control. A label that would be parsed as
  /// something else is put in double quotes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of controls of the screen, including the first
  ///   500 rows of each list.
  package func completions(
    of head: String, on screen: ShellScreen, nouns: CompletionNouns = CompletionNouns()
  ) -> CompletionList {
    guard !isInText else { return CompletionList(head: head, []) }
    let space = head.prefix(while: Scanner.isSpace)
    let line = String(head.dropFirst(space.count))
    let candidates: [Completion]
    if line.first == ":" {
      candidates = commandLines(line, screen, nouns)
    } else {
      let index = ControlIndex(screen)
      let options = line.isEmpty ? [] : values(index, line)
      let names =
        line.isEmpty
        ? controls(index, line) + identifiers(index, line)
        : line.first == "@" ? identifiers(index, line) : controls(index, line)
      // Omits a control that is already written in full, since its options follow.
      candidates =
        options + names.filter { options.isEmpty || Self.name($0.line) != Self.name(line) }
    }
    let wanted = line.lowercased()
    // What is typed without a quote also begins an identifier that has to be quoted.
    let quoted =
      line.first == "@" && line.dropFirst().first != "\"" ? "@\"" + wanted.dropFirst() : wanted
    var seen: Set<String> = []
    let matches = candidates.filter {
      let candidate = $0.line.lowercased()
      return (candidate.hasPrefix(wanted) || candidate.hasPrefix(quoted))
        && seen.insert($0.line).inserted
    }
    return CompletionList(
      head: head,
      matches.prefix(200).map {
        Completion(
          space + $0.line, label: $0.label, detail: $0.detail, continues: $0.continues)
      })
  }

  /// The completions of an answer to `prompt`: the options of a choice or a switch.
  package func completions(
    of head: String, answering prompt: Prompt, on screen: ShellScreen
  ) -> CompletionList {
    let index = ControlIndex(screen)
    let target = index.target(prompt.identity, near: nil)
    let options = target.map { Self.options($0) } ?? []
    let matches = options.filter { $0.lowercased().hasPrefix(head.lowercased()) }
    return CompletionList(head: head, matches.map { Completion($0) })
  }

  private func commandLines(
    _ line: String, _ screen: ShellScreen, _ nouns: CompletionNouns
  ) -> [Completion] {
    let commands = ShellCommand.all.filter(settings.commands.contains)
    var found: [Completion] = []
    for command in commands {
      // A command that requires an argument continues with a space.
      let arguments = command.usage.dropFirst(command.name.count + 1)
      let needsArgument = !arguments.isEmpty && !arguments.hasPrefix(" [")
      found.append(
        Completion(
          ":" + command.name, label: command.usage, detail: command.summary,
          continues: needsArgument))
    }
    guard line.contains(" ") else { return found }
    func add(_ command: ShellCommand, _ arguments: [CompletionNouns.Noun]) {
      found += arguments.map {
        Completion(":\(command.name) \($0.name)", label: $0.name, detail: $0.detail)
      }
    }
    add(.help, commands.map { ($0.name, $0.summary) })
    add(.tab, screen.chrome.tabs.map { ($0.name, $0.isSelected ? "selected" : $0.title) })
    found += ControlIndex(screen).lists.flatMap(\.sortTitles).map {
      Completion(":sort " + RowList.written($0), label: $0, detail: "column")
    }
    add(.path, [("--full", "with its middle")])
    found.append(
      Completion(
        ":log --slow", label: "--slow TIME", detail: "actions that took that long",
        continues: true))
    add(.log, [("--times", "counts and times")])
    found += nouns.links.map { link in
      // Up to the first parameter, which the user has to fill in.
      Completion(":open " + link.name.prefix { $0 != "{" }, label: link.name, detail: link.detail)
    }
    add(.reload, nouns.plugins)
    add(.resume, nouns.plugins)
    add(.explain, nouns.codes)
    return found
  }

  /// The controls with an identifier that begins as on the line, including rows of other pages.
  private func identifiers(_ index: ControlIndex, _ line: String) -> [Completion] {
    let written = line.dropFirst().first == "\"" ? line.dropFirst(2) : line.dropFirst()
    let wanted = written.prefix { !Scanner.isSpace($0) }.lowercased()
    let rows = wanted.isEmpty ? ControlIndex.completedRows : ControlIndex.searchedRows
    func isWanted(_ id: String?) -> Bool { id?.lowercased().hasPrefix(wanted) ?? false }
    let listed = index.lists.flatMap {
      $0.controls(first: rows) { isWanted($0.id) }.prefix(ControlIndex.completedRows)
    }
    return (index.controls.filter { isWanted($0.id) } + listed).map { target in
      Completion(
        Scanner.line(identifier: target.id ?? ""),
        detail: SafeText.line(target.label) + " · " + target.kind.name,
        continues: target.kind.takesValue)
    }
      + index.selectableIDs.filter(isWanted).map {
        Completion(Scanner.line(identifier: $0), detail: "list, rows are selected", continues: true)
      }
  }

  private func controls(_ index: ControlIndex, _ line: String) -> [Completion] {
    let listed = index.lists.flatMap { $0.controls(first: ControlIndex.completedRows) }
    return (index.controls + listed).map { target in
      let label = target.label
      let isPlain = (try? LineParser().parse(label)) == .label(label, value: nil)
      let written = isPlain && line.first != "\"" ? label : JSONTree.quote(label)
      return Completion(
        written + (target.kind.takesValue ? " = " : ""), label: label, detail: target.kind.name)
    }
  }

  /// The options of the choice or switch that the line names.
  private func values(_ index: ControlIndex, _ line: String) -> [Completion] {
    guard let parsed = try? LineParser(supported: settings.commands).parse(line) else { return [] }
    let target: ControlTarget?
    let lead: String
    switch parsed {
    case .identifier(let id, _):
      if let list = index.selectable(id) { return list.selections(of: line) }
      target = index.targets(id: id).first
      let isQuoted = line.dropFirst().first == "\""
      lead = Self.lead(isQuoted ? "@" + JSONTree.quote(id) : "@" + id, in: line)
    case .number(let number, _, _):
      let controls = lastShown.controls
      guard controls.indices.contains(number - 1) else { return [] }
      let identity = controls[number - 1].identity
      target = index.target(identity, near: controls[number - 1].position)
      lead = Self.lead(String(line.prefix { !Scanner.isSpace($0) }), in: line)
    case .label(let label, _):
      let isQuoted = line.first == "\""
      let name = !isQuoted && label.hasSuffix(" =") ? String(label.dropLast(2)) : label
      target = index.targets(label: name).first
      lead = (isQuoted ? JSONTree.quote(name) : String(line.prefix(name.count))) + " = "
    case .nothing, .command: return []
    }
    guard let target else { return [] }
    return Self.options(target).map { option in
      Completion(lead + Self.written(option, after: lead), label: option)
    }
  }

  /// The name on a line without a value, without `=`, in lower case.
  private static func name(_ line: String) -> Substring {
    let name = Scanner.trim(line.lowercased()[...])
    return name.hasSuffix(" =") ? Scanner.trim(name.dropLast(2)) : name
  }

  /// The beginning of a line with a value after `name`: with `=`, if the line has one.
  private static func lead(_ name: String, in line: String) -> String {
    let rest = Scanner.trim(line.dropFirst(name.count))
    return name + (rest == "=" || rest.hasPrefix("= ") ? " = " : " ")
  }

  /// An option as it is written after `lead`: in quotes, if it would be read as something else.
  private static func written(_ option: String, after lead: String) -> String {
    let value: LineValue? =
      switch try? LineParser().parse(lead + option) {
      case .identifier(_, let value), .number(_, let value, _), .label(_, let value): value
      case .nothing, .command, nil: nil
      }
    guard case .text(let text) = value, ControlIndex.folded(text) == ControlIndex.folded(option)
    else { return JSONTree.quote(option) }
    return option
  }

  private static func options(_ target: ControlTarget) -> [String] {
    switch target.kind {
    case .control(.toggle): ["on", "off"]
    case .control(.choice(let options, _)): options.map(\.label)
    case .control(.field(let field)): field.suggestions
    default: []
    }
  }
}

extension ControlTarget.Kind {
  var name: String {
    switch self {
    case .row: "row"
    case .control(.button): "button"
    case .control(.toggle(let isOn)): isOn ? "switch, on" : "switch, off"
    case .control(.choice): "choice"
    case .control(.field(let field)):
      switch field.kind {
      case .text, .multiline: "field"
      case .date: "date"
      case .secret: "secret field"
      case .number: "number"
      }
    }
  }

  /// Whether a line with this control requires a value.
  var takesValue: Bool {
    switch self {
    case .row, .control(.button), .control(.toggle): false
    case .control(.choice), .control(.field): true
    }
  }
}

extension ControlIndex {
  fileprivate static let completedRows = 500
  /// The number of rows of each list that are searched for an identifier.
  fileprivate static let searchedRows = 20_000
}

/// Names that complete the arguments of commands such as `:open`, and that are not on the screen.
package struct CompletionNouns: Sendable {
  /// A name, and what it is in a few words.
  package typealias Noun = (name: String, detail: String)

  /// The links, with their parameters in braces.
  package let links: [Noun]
  package let plugins: [Noun]
  /// The codes at the end of messages.
  package let codes: [Noun]

  package init(links: [Noun] = [], plugins: [Noun] = [], codes: [Noun] = []) {
    self.links = links
    self.plugins = plugins
    self.codes = codes
  }
}

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

  /// The screen as the JSON value that would be printed next; the session does not change.
  ///
  /// The value is `null` for a screen whose sections nest more deeply than a JSON line may.
  package func value(of screen: ShellScreen) -> Value {
    var copy = self
    copy.settings.format = .json
    guard let line = copy.frame(screen).first else { return .null }
    return (try? JSONReader.value(line.utf8)) ?? .null
  }

  /// Whether the current pages of the screen contain `text`, ignoring case.
  public func shows(_ text: String, on screen: ShellScreen) -> Bool {
    let wanted = Array(text.lowercased().utf8)
    return texts(of: screen).contains { $0.holds(folded: wanted) }
  }

  /// The texts of the screen, as ``shows(_:on:)`` searches them.
  package func texts(of screen: ShellScreen) -> [String] {
    Placement(screen, paging: paging).texts
  }

  /// Whether the line may be stored in a history: `false` if it may contain a secret.
  ///
  /// It may if the screen that was shown when the line was begun, `seenScreen`, had a secret field,
  /// even if the screen that is shown now has none.
  public func mayRemember(_ text: String, on screen: ShellScreen, seenScreen: Int? = nil) -> Bool {
    let index = ControlIndex(screen)
    let seen = self.screen(seenScreen)
    guard index.hasSecret || seen?.hasSecret ?? true else { return true }
    guard let line = try? LineParser(supported: settings.commands).parse(text) else {
      return false
    }
    switch line {
    case .nothing, .command, .number(_, nil, _), .identifier(_, nil): return true
    case .label(let label, nil): return !index.targets(label: label).isEmpty
    case .number(_, _?, _), .identifier(_, _?), .label(_, _?):
      let resolver = resolver(screen, seen ?? lastShown, canAsk: false)
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
  /// If one of the screens has a secret field, a value is hidden unless it is certainly for another
  /// control: the name may be misspelt.
  public func logged(
    _ bytes: some Collection<UInt8>, on screen: ShellScreen, seenScreen: Int? = nil
  ) -> String {
    guard let text = try? LineParser.text(bytes) else { return "a line that can't be read" }
    if mayRemember(text, on: screen, seenScreen: seenScreen) {
      return Self.cut(String(Scanner.trim(text[...])))
    }
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
    pending.map { $0.opening ?? Self.opening(of: $0.line, end: $0.end) }
  }

  /// The text that will be unfinished after an event: the line that began it, as in logs, and its
  /// end mark.
  package func unfinishedText(after event: LineReader.Event) -> (opening: String, end: String)? {
    if let pending, let loggedText {
      switch event {
      case .line(let bytes) where pending.isEnd(bytes): return nil
      case .line, .tooLong: return (loggedText, pending.end)
      case .end: return nil
      }
    }
    guard case .line(let bytes) = event, bytes.contains(0x3c),
      let text = try? LineParser.text(bytes), !isObject(text),
      let line = try? LineParser(supported: settings.commands).parse(text), let end = line.end
    else { return nil }
    return (Self.opening(of: line, end: end), end)
  }

  private static func opening(of line: Line, end: String) -> String {
    switch line {
    case .identifier(let id, _): cut("@\(id) <<\(end)")
    case .number(let number, _, _): cut("\(number) <<\(end)")
    case .label(let label, _): cut("\(label) = <<\(end)")
    case .nothing, .command: "a text"
    }
  }

  private static func cut(_ text: String) -> String {
    let shown = text.prefix(loggedLimit)
    return SafeText.line(String(shown)) + (shown.endIndex == text.endIndex ? "" : "…")
  }
}
