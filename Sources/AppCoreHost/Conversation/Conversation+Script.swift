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

// Screens that are printed for a script, and for a program that follows the app.
extension Conversation {
  /// The minimum time between two screens that effects cause.
  private static let liveInterval = Duration.milliseconds(34)

  /// Prints the first screen of a script.
  func showFirst(of app: isolated App, to output: ScriptOutput) async {
    nextScreenCause = .start
    output.print(await show(within: scriptTimeout, of: app))
  }

  /// Prints the screen after a reload of a changed file, unless it was printed as a change already.
  func showReload(of app: isolated App, to output: ScriptOutput) async {
    guard !session.settings.includesCauses else { return showChange(of: app, to: output) }
    output.print(await show(within: scriptTimeout, of: app))
  }

  /// Prints the screen whenever effects have changed it, until the app ends or the task is
  /// cancelled.
  ///
  /// At most 30 screens are printed per second; the last one always shows the latest state.
  func follow(_ app: isolated App, printingTo output: ScriptOutput) async {
    for await _ in app.changes() {
      showChange(of: app, to: output)
      guard (try? await Task.sleep(for: Self.liveInterval)) != nil else { return }
    }
  }

  /// Prints the screen with the last action as its cause, if it has changed since it was printed or
  /// has a new notice.
  func showChange(of app: isolated App, to output: ScriptOutput) {
    // A copy, so that a screen that is not printed does not use up a number.
    var copy = session
    let notices = notices(after: seenEventCount, in: app)
    let lines = copy.frame(
      screen(of: app, notices: notices, isSettled: app.isSettled, cause: lastAction(in: app)))
    guard !notices.isEmpty || Self.comparable(lines) != printedContent else { return }
    session = copy
    didPrint(lines, in: app)
    output.print(lines)
  }

  /// The last action since a screen was printed, as the cause of the next one.
  private func lastAction(in app: isolated App) -> ScreenCause {
    let actions = app.actionRecords(after: printedLogCount).filter { $0.origin != .line }
    guard let action = actions.last else { return ScreenCause(origin: "effect") }
    return ScreenCause(
      origin: action.origin.rawValue, action: String(action.text.prefix(200)), node: action.node)
  }

  /// The JSON of a screen without its number, its notices and its cause, to compare it with other
  /// screens.
  static func comparable(_ lines: [String]) -> String {
    lines.map { line in
      var rest = String(line.drop { $0 != "," })
      // In strings, quotation marks are escaped: these are the fields themselves.
      for (start, end) in [
        (",\"notices\":[", ",\"settled\":"), (",\"cause\":{", ",\"elements\":"),
      ] {
        guard let field = rest.firstRange(of: start),
          let next = rest[field.upperBound...].firstRange(of: end)
        else { continue }
        rest.removeSubrange(field.lowerBound..<next.lowerBound)
      }
      return rest
    }.joined()
  }

  /// Carries out lines of a script one after another, mostly without leaving the app's thread.
  ///
  /// - Parameters:
  ///   - events: the lines.
  ///   - number: the number of the first line, counted from 1.
  ///   - output: where to print.
  ///   - continues: whether the script continues after a rejected line, as with JSON; the rejection
  ///     then goes to `output`.
  ///   - app: the app.
  /// - Returns: the state of the script after these lines.
  func carryOut(
    script events: [LineReader.Event], from number: Int, to output: ScriptOutput,
    afterRefusal continues: Bool, in app: isolated App
  ) async -> ScriptStep {
    for (offset, event) in events.enumerated() {
      let line = number + offset
      // Without a pause all lines would be one piece of work for the watchdog, which might report a
      // feature that blocks.
      if offset % 16 == 15 { await Task.yield() }
      let saved = app.keeper.session
      saved?.updateScript { $0.begun = line }
      defer { saved?.updateScript { ($0.done, $0.screen) = (line, session.screenNumber) } }
      let reply: Reply
      switch event {
      case .line(let bytes):
        reply = await shown(perform(bytes, number: line, within: nil, in: app), in: app)
      case .tooLong(let limit): reply = await refuseTooLong(limit: limit, number: line, in: app)
      case .end: reply = endOfInput(number: line, in: app)
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

  /// Continues a script after the previous process has ended, without printing anything.
  ///
  /// - Returns: the message about the end of that process.
  func continueScript(in app: isolated App) async -> String? {
    _ = await app.settle(within: scriptTimeout)
    seenEventCount = app.state.journal.count
    session.continueNumbers(after: app.keeper.session?.former.script?.screen ?? 0)
    app.keeper.save(app)
    return app.keeper.session?.didShowFirstScreen()
  }

  /// Prints the reply to the line during which the previous process crashed.
  ///
  /// With JSON that is a rejection, otherwise the screen. `line` is `nil` if no line was being carried
  /// out.
  func printCrashReply(
    of line: Int?, _ told: String, to output: ScriptOutput, in app: isolated App
  ) async {
    guard case .text = session.settings.format else {
      return output.print(session.lines(for: Rejection(.crashed, told), line: line))
    }
    output.print(await show(within: scriptTimeout, of: app))
  }

  /// Prints the screen after a crash, which uses a number of its own.
  func showRestored(of app: isolated App, to output: ScriptOutput) {
    showChange(of: app, to: output)
    app.keeper.session?.updateScript { $0.screen = session.screenNumber }
  }
}
