internal import Navigation
internal import Sessions
internal import Shell
internal import Support

/// The state of a script after some of its lines.
enum ScriptStep: Sendable {
  /// All lines were carried out.
  case continues
  case quit
  /// A line was rejected, which ends the script; the lines to print to standard error.
  case refused([String])
  /// Output could not be written.
  case failed(InputOutputError)
}

extension App {
  /// Carries out lines of a script one after another, mostly without leaving the app's thread.
  ///
  /// - Parameters:
  ///   - events: the lines.
  ///   - number: the number of the first line, counted from 1.
  ///   - output: where to print.
  ///   - continues: whether the script continues after a rejected line, as with JSON; the rejection
  ///     then goes to `output`.
  /// - Returns: the state of the script after these lines.
  func send(
    script events: [LineReader.Event], from number: Int, to output: ScriptOutput,
    afterRefusal continues: Bool
  ) async -> ScriptStep {
    for (offset, event) in events.enumerated() {
      let line = number + offset
      // Without a pause all lines would be one piece of work for the watchdog, which might report a
      // feature that blocks.
      if offset % 16 == 15 { await Task.yield() }
      appSession?.noteScript { $0.begun = line }
      defer { appSession?.noteScript { ($0.done, $0.screen) = (line, session.screenNumber) } }
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
        // The end of the input was rejected: there are no more lines.
        if event == .end { return .quit }
      }
      if let failure = output.failure { return .failed(failure) }
    }
    return .continues
  }

  /// Prints the first screen of a script.
  func showFirst(to output: ScriptOutput) async {
    nextScreenCause = .start
    output.print(await show(within: scriptTimeout))
  }

  /// Prints the screen after a reload of a changed file, unless it was printed as a change already.
  func showReload(to output: ScriptOutput) async {
    guard !session.settings.includesCauses else { return showChange(to: output) }
    output.print(await show(within: scriptTimeout))
  }

  /// Continues a script after the previous process has ended, without printing anything.
  ///
  /// - Returns: the message about the end of that process.
  func continueScript() async -> String? {
    _ = await settle(within: scriptTimeout)
    seenEventCount = state.journal.count
    session.continueNumbers(after: appSession?.former.script?.screen ?? 0)
    saveSession()
    return appSession?.didShowFirstScreen()
  }

  /// Prints the reply to the line during which the previous process crashed: with JSON a rejection,
  /// otherwise the screen.
  ///
  /// - Parameters:
  ///   - line: the line's number, counted from 1; `nil` if no line was being carried out.
  ///   - told: the message about the crash.
  ///   - output: where to print.
  func printCrashReply(of line: Int?, _ told: String, to output: ScriptOutput) async {
    guard case .text = session.settings.format else {
      return output.print(
        session.lines(for: Rejection(.crashed, told), line: line))
    }
    output.print(await show(within: scriptTimeout))
  }
}
