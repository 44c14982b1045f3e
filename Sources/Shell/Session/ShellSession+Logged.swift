@_spi(Host) internal import AppCore
internal import Support

// Descriptions of lines for logs.
extension ShellSession {
  /// The maximum number of characters of a line in a log.
  private static let loggedLimit = 200
  private static let hidden = "<secret>"

  /// The line for a log: as it was typed, without anything that may be a secret.
  ///
  /// If the screen has a secret field, a value is hidden unless it is certainly for another
  /// control: the name may be misspelt.
  ///
  /// - Parameters:
  ///   - bytes: the line, without its newline.
  ///   - screen: the current screen.
  /// - Returns: one line, safe to print.
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

  /// The line of a script that does the same as a line without secrets.
  ///
  /// - Parameter bytes: the line, without its newline; it may be a JSON object with a line in it.
  /// - Returns: the whole line; `nil` for other JSON objects, and if the line can't be read.
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
