@_spi(Host) internal import AppCore

/// Fails the test if two values differ, and shows what differs, part by part, with the message.
public func expectNoDifference<Value: Equatable>(
  _ actual: @autoclosure () throws -> Value, _ expected: @autoclosure () throws -> Value,
  _ message: String = "",
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) rethrows {
  let (actual, expected) = (try actual(), try expected())
  guard actual != expected else { return }
  let lines = StateDifference.lines(expected: expected, actual: actual).map { "    \($0)" }
  let title = "The values differ" + (message.isEmpty ? ":" : ": \(message)")
  let text = [title, ""] + lines + ["", "(expected: -, actual: +)"]
  TestReporter.fail(
    text.joined(separator: "\n"), at: TestSite(fileID, filePath, line, column))
}

/// The difference between two values: the lines of their dumps that differ, with context lines.
///
/// - Returns: `nil` if the dumps are the same.
public func diff<Value>(_ old: Value, _ new: Value) -> String? {
  let lines = LineDiff.changes(
    from: StateDump.lines(old, depth: 1_000), to: StateDump.lines(new, depth: 1_000))
  return lines.isEmpty ? nil : lines.joined(separator: "\n")
}

/// Prints a value, one line for each part, without its secrets.
///
/// - Returns: the value.
@discardableResult
public func customDump<Value>(_ value: Value) -> Value {
  print(String(customDumping: value))
  return value
}

extension String {
  /// A value as text, one line for each part, without its secrets.
  public init(customDumping value: some Any) {
    self = StateDump.lines(value, depth: 1_000).joined(separator: "\n")
  }
}
