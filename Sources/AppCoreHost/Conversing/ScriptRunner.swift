public import Glibc
public import Shell

/// Runs an app by the lines of a pipe or a file.
///
/// The first screen, and then one after each line, is printed when it has settled. Without JSON
/// the first refused line ends the script with status 65.
public struct ScriptRunner {
  private let app: App
  private let isJSON: Bool
  private let output: OutputWriter
  private let errors: OutputWriter

  /// Creates a runner that prints to standard output, and refusals to standard error.
  public init(_ app: App, isJSON: Bool) {
    self.app = app
    self.isJSON = isJSON
    output = OutputWriter(descriptor: STDOUT_FILENO)
    errors = OutputWriter(descriptor: STDERR_FILENO)
  }

  /// Runs the app to the end of the lines.
  ///
  /// Blocks its thread, which must be no task's.
  ///
  /// - Parameter descriptor: where the lines come from.
  /// - Returns: the exit status.
  /// - Throws: `InputOutputError` where a line can't be read or a screen not be written.
  public func run(_ descriptor: Int32 = STDIN_FILENO) throws(InputOutputError) -> Int32 {
    let app = app
    try output.write(lines: waitFor { await app.show() })
    var reader = LineReader(descriptor: descriptor)
    var number = 0
    while true {
      number += 1
      let line = number
      let reply: Reply
      switch try reader.next() {
      case .line(let bytes): reply = waitFor { await app.send(line: bytes, number: line) }
      case .tooLong(let limit):
        reply = waitFor { await app.refuseTooLong(limit: limit, number: line) }
      case .end: reply = waitFor { await app.endOfInput(number: line) }
      }
      switch reply.outcome {
      case .accepted: try output.write(lines: reply.lines)
      case .nothing, .needsMoreLines, .prompt: break
      case .quit: return 0
      case .refused where isJSON: try output.write(lines: reply.lines)
      case .refused:
        try errors.write(lines: reply.lines)
        return 65
      }
    }
  }
}
