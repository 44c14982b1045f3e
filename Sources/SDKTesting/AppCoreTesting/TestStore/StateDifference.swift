@_spi(Host) internal import AppCore

/// What differs between two states or actions, for people.
enum StateDifference {
  /// The lines that differ, with some around them.
  static func lines<Value>(expected: Value, actual: Value) -> [String] {
    let changes = LineDiff.changes(from: StateDump.lines(expected), to: StateDump.lines(actual))
    guard changes.isEmpty else { return changes }
    return ["\(Value.self): both read alike, and yet '==' says that they differ"]
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
