internal import AppCoreHost
internal import Diagnostics
internal import Navigation
internal import Sessions
internal import Shell
internal import Support

/// Where a script is after some of its lines.
enum ScriptStep: Sendable {
  /// All lines were carried out.
  case continues
  case quit
  /// A line was refused, and the script ends with it; what is to be printed on standard error.
  case refused([String])
  /// What was printed could not be written.
  case failed(InputOutputError)
}

extension App {
  /// Carries out lines of a script one after another, seldom leaving the app's thread between them.
  ///
  /// - Parameters:
  ///   - events: the lines as they were read.
  ///   - number: the number of the first one, from 1.
  ///   - output: takes what is printed.
  ///   - continues: whether a refused line is printed like others, as with JSON.
  /// - Returns: where the script stands then.
  func send(
    script events: [LineReader.Event], from number: Int, to output: ScriptOutput,
    afterRefusal continues: Bool
  ) async -> ScriptStep {
    for (offset, event) in events.enumerated() {
      let line = number + offset
      // Otherwise all of them would be one piece of work, which may look as if a feature hung.
      if offset % 16 == 15 { await Task.yield() }
      outliving?.noteScript { $0.begun = line }
      defer { outliving?.noteScript { ($0.done, $0.screen) = (line, session.screenNumber) } }
      let reply: Reply
      switch event {
      case .line(let bytes): reply = await send(line: bytes, number: line)
      case .tooLong(let limit): reply = await refuseTooLong(limit: limit, number: line)
      case .end: reply = endOfInput(number: line)
      }
      switch reply.outcome {
      case .accepted: output.print(reply.lines)
      case .nothing, .needsMoreLines, .prompt: break
      case .quit: return .quit
      case .refused:
        guard continues else {
          output.print(reply.screen)
          return .refused(reply.output)
        }
        output.print(reply.output)
        // The end was refused: nothing comes after it.
        if event == .end { return .quit }
      }
      if let failure = output.failure { return .failed(failure) }
    }
    return .continues
  }

  /// Prints the first screen of a script.
  func showFirst(to output: ScriptOutput) async {
    replyCause = .start
    output.print(await show(within: scriptPatience))
  }

  /// Continues where another process has ended, without printing anything.
  ///
  /// - Returns: the message about its end.
  func continueScript() async -> String? {
    _ = await settle(within: scriptPatience)
    toldCount = state.journal.count
    session.continueNumbers(after: outliving?.former.script?.screen ?? 0)
    saveSession()
    return outliving?.firstScreenShows()
  }

  /// Answers the line that has ended the process before this one; or tells that something has, where
  /// no line was carried out.
  func answerCrash(of line: Int?, _ told: String, to output: ScriptOutput) async {
    guard case .text = session.settings.format else {
      return output.print(
        session.lines(for: Rejection(.crashed, told), line: line))
    }
    output.print(await show(within: scriptPatience))
  }
}
