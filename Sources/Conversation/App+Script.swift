internal import AppCoreHost
internal import Shell
internal import Support

/// Where a script stands after some of its lines.
enum ScriptStep: Sendable {
  /// All lines were carried out.
  case goesOn
  case quit
  /// A line was refused, and the script ends with it; what is to be printed on standard error.
  case refused([String])
  /// What was printed could not be written.
  case failed(InputOutputError)
}

extension App {
  /// Carries out lines of a script one after another, without leaving the app's thread between
  /// them.
  ///
  /// - Parameters:
  ///   - events: the lines as they were read.
  ///   - number: the number of the first one, from 1.
  ///   - output: takes what is printed.
  ///   - goesOn: whether a refused line is printed like others, as with JSON.
  /// - Returns: where the script stands then.
  func send(
    script events: [LineReader.Event], from number: Int, to output: ScriptOutput,
    afterRefusal goesOn: Bool
  ) async -> ScriptStep {
    for (offset, event) in events.enumerated() {
      let line = number + offset
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
        guard goesOn else {
          output.print(reply.screen)
          return .refused(reply.output)
        }
        output.print(reply.output)
        // The end was refused: nothing comes after it.
        if event == .end { return .quit }
      }
      if let failure = output.failure { return .failed(failure) }
    }
    return .goesOn
  }

  /// Prints the first screen of a script.
  func showFirst(to output: ScriptOutput) async {
    replyCause = .start
    output.print(await show(within: scriptPatience))
  }
}
