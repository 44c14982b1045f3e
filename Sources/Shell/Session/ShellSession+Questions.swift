internal import AppCore

extension ShellSession {
  /// Whether the screen, as it was printed last, shows `text`, ignoring case.
  public func shows(_ text: String, on screen: ShellScreen) -> Bool {
    let placement = Placement(screen.content, owner: screen.owner, paging: paging)
    return ScreenSearch(placement, title: screen.content.title, chrome: screen.chrome)
      .contains(text)
  }

  /// Whether the line may be kept in a history: it holds no secret, as far as can be told.
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

  /// What Tab may make of a line that begins with `text`: whole lines, at most 100.
  ///
  /// Commands, the tabs' names after `:tab`, identifiers after `@`, and labels, ignoring case; a
  /// label that would be read as something else comes in double quotes.
  /// - Complexity: linear in the controls and rows of the screen.
  public func completions(of text: String, on screen: ShellScreen) -> [String] {
    let line = String(text.drop(while: Scanner.isSpace))
    guard let first = line.first else { return [] }
    let candidates: [String]
    if first == ":" {
      candidates = commandLines(screen.chrome)
    } else {
      let index = ControlIndex(screen.content, owner: screen.owner)
      candidates = first == "@" ? index.names { $0.id.map { "@" + $0 } } : index.labels(line)
    }
    let wanted = line.lowercased()
    var seen: Set<String> = []
    let matches = candidates.filter {
      $0.lowercased().hasPrefix(wanted) && seen.insert($0).inserted
    }
    return Array(matches.prefix(100))
  }

  private func commandLines(_ chrome: Chrome) -> [String] {
    let names = CommandName.allCases.filter(settings.commands.contains)
    return names.map { ":" + $0.rawValue }
      + names.map { ":help " + $0.rawValue }
      + chrome.tabs.map { ":tab " + $0.name }
  }
}

extension ControlIndex {
  /// The labels as they are written on a line; in quotes where `line` begins with one.
  fileprivate func labels(_ line: String) -> [String] {
    names(\.label).map { label in
      let isPlain = (try? LineParser().parse(label)) == .label(label, value: nil)
      return isPlain && line.first != "\"" ? label : JSONWriter.quote(label)
    }
  }
}
