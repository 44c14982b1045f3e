@_spi(Host) internal import AppCore
internal import ArgumentParser
internal import Glibc
internal import Shell
internal import Supervision
internal import Support

/// `appcore attach`: a second view of a running app, at its socket.
struct AttachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "View a running app, or send it lines.",
    usage: "appcore attach <path> [--control] [--json]",
    discussion: """
      The app runs with 'appcore run --socket PATH', and for '--control' with '--socket-control'. \
      With '--control' the end of the input, or ':quit', ends the view and not the app.

      Examples:
        appcore attach /run/console/socket
        echo ':back' | appcore attach /run/console/socket --control
      """)

  @Argument(help: "The socket of the app.", completion: .file())
  var path: String

  @Flag(help: "Send the lines of the input to the app.")
  var control = false

  @Flag(help: "Print one JSON object per screen, for programs.")
  var json = false

  func run() throws {
    let client = try SocketClient(path, for: control ? "control" : "attach")
    var reader = LineReader(descriptor: STDIN_FILENO, limit: SocketConnection.lineLimit)
    var hasInput = control
    // One line at a time: each refers to the screen after the one before.
    var awaited: String? = "screen"
    // The end mark of the text that the lines so far have not finished.
    var textEnd: String?
    while !control || hasInput || awaited != nil {
      let takesLine = hasInput && awaited == nil
      let hasLine = takesLine && reader.hasLine
      let (objects, isReady) = try client.next(
        or: takesLine ? STDIN_FILENO : -1, within: hasLine ? 0 : -1)
      for object in objects {
        if let name = awaited, object[name] != nil { awaited = nil }
        if object["ended"] != nil { return Console.report("the app has ended") }
        if let text = object["notice"]?.text {
          Console.report(SafeText.line(text))
          awaited = "screen"
        }
        if let screen = object["screen"]?.text {
          if json { Console.print(screen, as: .json) } else { show(lines: object["lines"]) }
        }
        if let answer = object["answer"] {
          textEnd = object["textEnd"]?.text
          if answer["quit"] != nil { return }
          try show(answer: answer)
        }
      }
      guard hasLine || isReady else { continue }
      switch try reader.next() {
      case .line(let bytes):
        client.connection.send(bytes)
        awaited = "answer"
      case .tooLong(let limit): try refuse("a line of more than \(limit) bytes can't be sent")
      case .end:
        hasInput = false
        if let textEnd { try refuse(.unterminatedText(end: textEnd)) }
      }
    }
  }

  /// Shows what a line has printed, or why it was refused.
  private func show(answer: Value) throws {
    guard !json else {
      if answer != .object([:]) { Console.print(answer.json, as: .json) }
      return
    }
    show(lines: answer["output"])
    if let error = answer["error"], let text = error["text"]?.text, let code = error["code"]?.text {
      try refuse("\(text) [\(code)]")
    }
  }

  /// Reports that the input has ended within a text, like a line that was refused.
  private func refuse(_ rejection: Rejection) throws {
    let error = ["code": rejection.code, "text": rejection.message].mapValues { Value.string($0) }
    try show(answer: .object(["error": .object(error)]))
  }

  /// Reports a line that was not carried out, which ends a script.
  private func refuse(_ reason: String) throws {
    Console.report(SafeText.line(reason))
    if !json, isatty(STDIN_FILENO) != 1 { throw ExitCode(65) }
  }

  private func show(lines: Value?) {
    for case .string(let line) in lines?.elements ?? [] { Console.print(SafeText.line(line)) }
  }
}
