@_spi(Host) internal import AppCore

/// What differs between two states or actions, for people.
enum StateDifference {
  /// The lines that differ, with some around them.
  static func lines<Value>(expected: Value, actual: Value) -> [String] {
    let changes = LineDiff.changes(from: StateDump.lines(expected), to: StateDump.lines(actual))
    guard changes.isEmpty else { return changes }
    // What differs may lie deeper than anybody reads.
    let deep = LineDiff.changes(
      from: StateDump.lines(expected, depth: 1_000), to: StateDump.lines(actual, depth: 1_000))
    guard deep.isEmpty else { return outdented(deep) }
    return ["\(Value.self): both read alike, and yet '==' says that they differ"]
  }

  /// The lines without the blanks that all of them have after their first two columns.
  private static func outdented(_ lines: [String]) -> [String] {
    let blanks =
      lines.filter { $0 != "  …" }.map { $0.dropFirst(2).prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { $0 == "  …" ? $0 : String($0.prefix(2) + $0.dropFirst(2 + blanks)) }
  }
}

/// An action on one line, as it would be written.
func describe(_ action: Any) -> String {
  var text = ""
  for line in StateDump.lines(action) {
    let part = line.drop { $0 == " " }
    let isFirst = text.last.map { "([".contains($0) } ?? true
    let isLast = part.first.map { ")]".contains($0) } ?? false
    text += (isFirst || isLast ? "" : " ") + part
  }
  return text
}
