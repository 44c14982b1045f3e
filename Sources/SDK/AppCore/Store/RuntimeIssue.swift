internal import Synchronization

/// A misuse by a feature from which the store can recover.
public enum RuntimeIssue {
  /// Handles reports on the current task; tests collect them.
  @TaskLocal static var handler: (@Sendable (String) -> Void)?

  /// Reports a misuse; by default on standard error, each text once.
  ///
  /// - Parameter message: what happened, where, the likely causes and the remedy.
  public static func report(_ message: @autoclosure () -> String) {
    let text = message()
    if let handler {
      handler(text)
      return
    }
    let isNew = reported.withLock { $0.count < 1000 && $0.insert(text).inserted }
    guard isNew else { return }
    ErrorOutput.write("appcore: warning: \(printable(text))\n")
  }

  /// The text made safe for a terminal.
  ///
  /// Lines after the first are indented, so that none of them can pass for output of the program.
  private static func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\n" {
        result += "\n  "
      } else if TextHazard.isHazard(scalar) {
        result += "<U+\(String(scalar.value, radix: 16, uppercase: true))>"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static let reported = Mutex<Set<String>>([])
}

@_spi(Host)
extension RuntimeIssue {
  /// Runs `operation`; issues reported in it and in the tasks it starts go to `handler`.
  public static func handling<Result>(
    with handler: @escaping @Sendable (String) -> Void, operation: () throws -> Result
  ) rethrows -> Result {
    try $handler.withValue(handler, operation: operation)
  }

  /// Runs `operation`; issues reported in it and in the tasks it starts go to `handler`.
  nonisolated(nonsending) public static func handling<Result>(
    with handler: @escaping @Sendable (String) -> Void,
    operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await $handler.withValue(handler, operation: operation)
  }
}
