internal import Glibc
public import Shell
internal import Synchronization

/// Runs an app for a person at a terminal.
///
/// A screen that has not settled soon is shown as it is, and again when it has.
public struct TerminalRunner {
  /// How long a person is left without an answer.
  private static let patience = Duration.milliseconds(400)

  private let app: App
  private let output = OutputWriter(descriptor: STDOUT_FILENO)
  private let printing = Printing()

  /// Creates a runner on standard input and output.
  public init(_ app: App) { self.app = app }

  /// Runs the app until the person leaves.
  ///
  /// Blocks its thread, which must be no task's.
  ///
  /// - Returns: the exit status.
  /// - Throws: `InputOutputError` where a line can't be read or a screen not be written.
  public func run() throws(InputOutputError) -> Int32 {
    let app = app
    try output.write(lines: [app.loaded.title, "Type a number, a label or :help.", ""])
    try show(waitFor { await app.show(within: Self.patience) })
    var reader = LineReader(descriptor: STDIN_FILENO)
    while true {
      let event = try reader.next()
      printing.lineTyped()
      var reply: Reply
      switch event {
      case .line(let bytes):
        reply = waitFor { await app.send(line: bytes, within: Self.patience) }
      case .tooLong(let limit): reply = waitFor { await app.refuseTooLong(limit: limit) }
      case .end:
        try output.write("\n")
        return 0
      }
      if case .prompt(let prompt) = reply.outcome { reply = try ask(prompt, &reader) }
      switch reply.outcome {
      case .quit: return 0
      case .needsMoreLines: try output.write("… ")
      case .nothing, .prompt: try output.write("> ")
      case .refused:
        try output.write(lines: reply.lines)
        try output.write("> ")
      case .accepted where !reply.output.isEmpty:
        // The screen below it would push away what was asked for.
        try output.write(lines: reply.output)
        try output.write("> ")
      case .accepted: try show(reply.screen)
      }
    }
  }

  private func ask(
    _ prompt: Prompt, _ reader: inout LineReader
  ) throws(InputOutputError) -> Reply {
    let app = app
    let answer: [UInt8]
    if prompt.isSecret {
      guard case .bytes(let bytes) = try SecretPrompt().ask(prompt.question) else {
        return Reply(.nothing)
      }
      answer = bytes
    } else {
      try output.write("\(prompt.question): ")
      guard case .line(let bytes) = try reader.next() else { return Reply(.nothing) }
      answer = bytes
    }
    return waitFor { await app.answer(prompt, with: answer, within: Self.patience) }
  }

  /// Prints a screen, and the next one should this one not have settled.
  private func show(_ lines: [String]) throws(InputOutputError) {
    try output.write(lines: lines)
    try output.write("> ")
    let app = app
    let output = output
    let printing = printing
    let ticket = printing.ticket
    Task {
      guard await !app.settle(within: .zero) else { return }
      guard await app.settle(within: .seconds(3600)) else { return }
      let lines = await app.show()
      printing.print(ticket) {
        // A screen that can't be written now is noticed at the next line.
        try? output.write(lines: [""] + lines)
        try? output.write("> ")
      }
    }
  }
}

/// Keeps a late screen from being printed over what came after it.
private final class Printing: Sendable {
  private let typed = Mutex(0)

  var ticket: Int { typed.withLock { $0 } }

  func lineTyped() { typed.withLock { $0 += 1 } }

  func print(_ ticket: Int, _ body: () -> Void) {
    typed.withLock { current in
      if current == ticket { body() }
    }
  }
}
