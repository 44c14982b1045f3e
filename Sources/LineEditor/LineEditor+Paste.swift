/// A paste of several lines, which the user has to confirm.
struct PastedLines: Sendable {
  let lines: [String]
}

extension LineEditor {
  /// Inserts a paste; a paste of several lines needs a confirmation first.
  package mutating func insert(pasted text: String) -> Event {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // A line that was copied as a whole ends with a newline, which is not a request to run it.
    while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    if lines.count <= 1 { return lines.first.map { insert($0) } ?? .refused }
    guard !question.isSecret else {
      message = "what was pasted has \(lines.count) lines; a secret has one"
      return .refused
    }
    let isCut = lines.contains { $0.count > LineBuffer.limit }
    guard !isCut else {
      message = "what was pasted has a line of more than \(LineBuffer.limit) characters"
      return .refused
    }
    // The text before the cursor belongs to the first line, the text after it to the last.
    lines[0] = buffer.head + lines[0]
    lines[lines.count - 1] += String(buffer.characters[buffer.cursor...])
    menu = nil
    paste = PastedLines(lines: lines)
    return .changed
  }

  /// Handles the user's answer about a paste.
  mutating func answer(_ paste: PastedLines, _ key: KeyPress) -> Event {
    switch (key.code, key.modifiers) {
    case (.scalar("y"), []), (.scalar("Y"), _):
      self.paste = nil
      return .submittedLines(paste.lines)
    case (.scalar("j"), []), (.scalar("J"), _):
      self.paste = nil
      undo.willChange(buffer)
      buffer.replace(paste.lines.joined(separator: " "))
      return .changed
    case (.scalar("n"), []), (.scalar("N"), _), (.escape, _), (.scalar("g"), .control),
      (.scalar("c"), .control):
      self.paste = nil
      return .changed
    case (.scalar("l"), .control): return .cleared
    case (.scalar("z"), .control): return .suspended
    default: return .refused
    }
  }
}
