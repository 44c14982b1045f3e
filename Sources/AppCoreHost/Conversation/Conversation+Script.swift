internal import Navigation
internal import Sessions
internal import Shell
internal import Support

// Screens that are printed for a script, and for a program that follows the app.
extension Conversation {
  /// The minimum time between two screens that effects cause.
  static let liveInterval = Duration.milliseconds(34)

  func showFirst(of app: isolated App, to output: ScriptOutput) async {
    nextScreenCause = ScreenCause(origin: "start")
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
    guard let screen = changedScreen(of: app) else { return }
    let lines = session.frame(screen)
    didPrint(screen, in: app)
    output.print(lines)
  }

  /// The screen, if it has changed since it was printed or has a new notice; else `nil`.
  ///
  /// Its cause is the last action unless another is given.
  func changedScreen(of app: isolated App, by cause: ScreenCause? = nil) -> ShellScreen? {
    let notices = notices(after: seenEventCount, in: app)
    let screen = screen(
      of: app, notices: notices, isSettled: app.isSettled, cause: cause ?? lastAction(in: app))
    return notices.isEmpty && content(of: screen) == printedContent ? nil : screen
  }

  /// The last action since a screen was printed, as the cause of the next one.
  private func lastAction(in app: isolated App) -> ScreenCause {
    let actions = app.actionRecords(after: printedLogCount).filter { $0.origin != .line }
    guard let action = actions.last else { return ScreenCause(origin: "effect") }
    return ScreenCause(
      origin: action.origin.rawValue, action: String(action.text.prefix(200)), node: action.node)
  }

  /// The lines of a screen without its number, its notices and its cause, to compare it with other
  /// screens.
  func content(of screen: ShellScreen) -> [String] {
    var (copy, screen) = (session, screen)
    copy.continueNumbers(after: 0)
    (screen.chrome.notices, screen.chrome.cause) = ([], nil)
    return copy.frame(screen)
  }

  /// Carries out lines of a script one after another, mostly without leaving the app's thread.
  ///
  /// If the script continues after a rejected line, as with JSON, the rejection is printed like a
  /// screen. Returns the reply that ends the script, `nil` if it goes on.
  func carryOut(
    script events: [LineReader.Event], from number: Int, to output: ScriptOutput,
    afterRefusal continues: Bool, in app: isolated App
  ) async -> Reply? {
    for (offset, event) in events.enumerated() {
      let line = number + offset
      // Without a pause all lines would be one piece of work for the watchdog, which might report a
      // feature that blocks.
      if offset % 16 == 15 { await Task.yield() }
      let saved = app.keeper.session
      // Together: should the app crash now, the rest of a text must not become commands.
      let text = saved.flatMap { _ in unfinishedText(after: event) }
      saved?.updateScript { ($0.begun, $0.text) = (line, text) }
      defer { saved?.updateScript { ($0.done, $0.screen) = (line, session.screenNumber) } }
      let reply = await shown(perform(event, number: line, in: app), in: app)
      switch reply.outcome {
      case .accepted: output.print(reply.lines)
      case .nothing, .needsMoreLines, .prompt: break
      case .quit: return reply
      case .refused:
        guard continues else {
          output.print(reply.screen)
          return reply
        }
        output.print(reply.output)
        // The end of the input was rejected: there are no more lines.
        if event == .end { return Reply(.quit) }
      }
      if output.failure != nil { break }
    }
    return nil
  }

  /// The text that is unfinished after an event that is about to be performed; `nil` for none.
  func unfinishedText(after event: LineReader.Event) -> SavedConversation.Text? {
    session.unfinishedText(after: event).map { .init(opening: $0.opening, end: $0.end) }
  }

  /// Continues within a text that the crash of the previous process has cut off.
  ///
  /// Its remaining lines are skipped, and it is rejected at its end.
  func continueText(_ text: SavedConversation.Text) {
    session.continueText(
      text.opening, end: text.end,
      refusing: Rejection(
        .crashed,
        "a crash has cut off the text '\(text.opening)'; send it again from its first line"))
  }

  /// Continues a script after the previous process has ended.
  ///
  /// If it crashed during a line, `crashed` is the number of the line: with JSON its reply is a
  /// rejection, otherwise the screen. A text that it has not read to the end is rejected there.
  /// `isLive` is whether the screen is printed that may have changed since. `report` receives the
  /// message about the end of that process.
  func continueScript(
    afterCrashIn crashed: Int?, isLive: Bool, to output: ScriptOutput, in app: isolated App,
    _ report: (String) -> Void
  ) async {
    _ = await app.settle(within: scriptTimeout)
    seenEventCount = app.state.journal.count
    let saved = app.keeper.session
    session.continueNumbers(after: saved?.former.script?.screen ?? 0)
    if let text = saved?.former.script?.text { continueText(text) }
    app.keeper.save(app)
    let message = saved?.didShowFirstScreen() ?? "the app continues"
    report(message)
    if crashed != nil || isLive {
      if case .text = session.settings.format {
        output.print(await show(within: scriptTimeout, of: app))
      } else {
        output.print(session.lines(for: Rejection(.crashed, message), line: crashed))
      }
    }
    guard isLive else { return }
    // What the former process printed is not known, and an instance may be suspended now.
    showChange(of: app, to: output)
    saved?.updateScript { $0.screen = session.screenNumber }
  }
}
