internal import Support
internal import Synchronization

/// What a script prints: each screen is on its way out before anything else is done, so that whatever
/// ends the process afterwards, it is there.
final class ScriptOutput: Sendable {
  private let writer: OutputWriter
  private let status = Mutex<InputOutputError?>(nil)

  init(_ writer: OutputWriter) { self.writer = writer }

  /// Why something could not be written.
  var failure: InputOutputError? { status.withLock { $0 } }

  /// Writes lines; a failure is kept, and nothing is written after it.
  func print(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    // Under the lock: screens that come unasked are printed by another task.
    status.withLock { failure in
      guard failure == nil else { return }
      do throws(InputOutputError) {
        try writer.write(lines: lines)
      } catch {
        failure = error
      }
    }
  }
}
