@_spi(Host) internal import AppCore

/// Shows the difference between two states or actions to people.
enum StateDifference {
  /// The lines that differ, with context lines.
  static func lines<Value>(expected: Value, actual: Value) -> [String] {
    lines(
      of: Value.self, expected: { StateDump.lines(expected, depth: $0) },
      actual: { StateDump.lines(actual, depth: $0) })
  }

  /// The lines that differ between two dumps, each of which is made to a depth.
  static func lines(
    of type: Any.Type, expected: (_ depth: Int) -> [String], actual: (_ depth: Int) -> [String]
  ) -> [String] {
    let depth = StateDump.readableDepth
    let changes = LineDiff.changes(from: expected(depth), to: actual(depth))
    guard changes.isEmpty else { return changes }
    // The difference may be deeper than the readable depth.
    let deep = LineDiff.changes(from: expected(1_000), to: actual(1_000))
    guard deep.isEmpty else { return outdented(deep) }
    return ["\(type): both read alike, and yet '==' says that they differ"]
  }

  /// The shared values that differ.
  static func changes(
    from old: SharedSnapshot, to new: SharedSnapshot
  ) -> [(name: String, old: Any, new: Any)] {
    old.changes(to: new) { left, right in
      switch PartComparison.of(left, right) {
      case .equal: true
      case .different: false
      case .incomparable: StateDump.lines(left) == StateDump.lines(right)
      }
    }
  }

  /// The lines that differ between shared values.
  static func lines(from old: SharedSnapshot, to new: SharedSnapshot) -> [String] {
    changes(from: old, to: new).flatMap { change in
      ["the shared value \(change.name):"] + lines(expected: change.old, actual: change.new)
    }
  }

  /// The lines for the changes to shared values that a test has not asserted.
  static func unassertedLines(from asserted: SharedSnapshot, to now: SharedSnapshot) -> [String] {
    var asserted = asserted
    asserted.add(newIn: now)
    return lines(from: asserted, to: now)
  }

  /// The lines without their common indentation after the first two columns.
  private static func outdented(_ lines: [String]) -> [String] {
    let blanks =
      lines.filter { $0 != "  …" }.map { $0.dropFirst(2).prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { $0 == "  …" ? $0 : String($0.prefix(2) + $0.dropFirst(2 + blanks)) }
  }
}

/// An action on one line, similar to its source code; a long one only with the names of its cases.
func describe(_ action: Any) -> String {
  let text = StateDump.line(action)
  return text.count <= 100 ? text : cases(action)
}

/// The names of an action's cases, with short values: `.rows(.element(id: 2, action: .loaded(…)))`.
private func cases(_ value: Any) -> String {
  let text = StateDump.line(value)
  guard text.count > 24 else { return text }
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .enum:
    guard let payload = mirror.children.first, let name = payload.label else { return "…" }
    let inner = Mirror(reflecting: payload.value).displayStyle == .tuple
    return ".\(name)" + (inner ? cases(payload.value) : "(\(cases(payload.value)))")
  case .tuple:
    let parts = mirror.children.map { part in
      let label = part.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? ""
      return label + cases(part.value)
    }
    return "(\(parts.joined(separator: ", ")))"
  case .optional: return mirror.children.first.map { cases($0.value) } ?? "nil"
  default: return "…"
  }
}
