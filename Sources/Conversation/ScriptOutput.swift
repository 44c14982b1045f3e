internal import Support
internal import Synchronization

/// What a script has printed and is not written yet.
///
/// Lines are carried out many at a time, and what they print is written together: before something
/// is waited for, and at the end.
final class ScriptOutput: Sendable {
  private struct Status {
    var text = ""
    var failure: InputOutputError?
  }

  private let writer: OutputWriter
  private let status = Mutex(Status())

  /// What is written at once, in bytes.
  private static let enough = 64 << 10

  init(_ writer: OutputWriter) { self.writer = writer }

  /// Adds lines; nothing is written.
  func add(_ lines: [String]) {
    status.withLock { status in
      for line in lines {
        status.text += line
        status.text += "\n"
      }
    }
  }

  /// Whether so much is due that it should be written.
  var isFull: Bool { status.withLock { $0.text.utf8.count >= Self.enough } }

  /// Why something could not be written.
  var failure: InputOutputError? { status.withLock { $0.failure } }

  /// Writes what is due; a failure is kept, and nothing is written after it.
  func flush() {
    status.withLock { status in
      guard !status.text.isEmpty, status.failure == nil else { return }
      do throws(InputOutputError) {
        try writer.write(status.text)
      } catch {
        status.failure = error
      }
      status.text.removeAll(keepingCapacity: true)
    }
  }
}
