public import AppCheck
@_spi(Host) internal import AppCore
internal import Navigation
internal import Sessions
public import Shell
internal import Support

// A conversation with an app: lines are carried out, and screens are rendered.
extension App {
  /// The commands that an app can carry out.
  public static let commands: Set<CommandName> = [
    .back, .dismiss, .tab, .open, .press, .next, .previous, .page, .find, .path, .graph, .state,
    .log, .plugins, .reload, .resume, .explain, .timeline, .rewind, .forward, .goto, .now,
    .continue, .diff, .record, .wait, .sleep, .expect, .expectPath, .help, .quit,
  ]

  /// Begins a conversation; its lines can't refer to screens of an earlier one.
  public func converse(_ settings: SessionSettings = SessionSettings()) {
    var settings = settings
    let own: Set<CommandName> = settings.isInteractive ? Self.terminalCommands : []
    settings.commands.formIntersection(Self.commands.union(own))
    session = ShellSession(settings)
    scriptTimeout = Self.timeout
  }

  /// Changes the size of later screens.
  ///
  /// - Parameters:
  ///   - width: the width, in columns.
  ///   - rows: the number of rows of the window; ignored unless the session has a window.
  public func resize(to width: Int, rows: Int? = nil) {
    session.settings.width = width
    if session.settings.windowRows != nil, let rows { session.settings.windowRows = rows }
  }

  /// Waits until the screen has settled, for `limit` at most, and renders it.
  ///
  /// - Returns: the lines of the screen, without newlines.
  public func show(within limit: Duration = App.timeout) async -> [String] {
    let isSettled = await settle(within: limit)
    let lines = session.frame(
      shellScreen(
        notices: notices(after: seenEventCount), isSettled: isSettled, cause: nextScreenCause))
    saveSession()
    didPrint(lines)
    return lines
  }

  /// Carries out a line, and renders the new screen.
  ///
  /// - Parameters:
  ///   - bytes: the line without its newline.
  ///   - number: the line's number in a script, counted from 1, for messages and the log.
  ///   - seenScreen: the number of the screen that was shown when the line was begun; `nil` for the
  ///     last one.
  ///   - limit: how long to wait for the screen to settle; `nil` for ``timeout``, or the time that
  ///     an earlier `:wait` has set.
  /// - Returns: the result, and what to print.
  public func send(
    line bytes: [UInt8], number: Int? = nil, seenScreen: Int? = nil,
    within limit: Duration? = nil
  ) async -> Reply {
    await shown(perform(bytes, number: number, seenScreen: seenScreen, within: limit))
  }

  /// Carries out a line, and renders the new screen.
  public func send(line: String) async -> Reply { await send(line: Array(line.utf8)) }

  /// Carries out the answer to a prompt, and renders the new screen.
  ///
  /// - Parameters:
  ///   - prompt: the prompt of an earlier reply.
  ///   - bytes: the answer without its newline, which is taken literally.
  ///   - limit: how long to wait for the screen to settle; `nil` as for
  ///     ``send(line:number:seenScreen:within:)``.
  /// - Returns: the result, and what to print.
  public func answer(
    _ prompt: Prompt, with bytes: [UInt8], within limit: Duration? = nil
  ) async -> Reply {
    await shown(perform(bytes, answering: prompt, within: limit))
  }

  /// Rejects a line that was too long to be read.
  ///
  /// - Parameters:
  ///   - limit: the maximum length of a line, in bytes.
  ///   - number: the line's number in a script, counted from 1.
  /// - Returns: the rejection; in a text of several lines, the text is rejected at its end.
  public func refuseTooLong(limit: Int, number: Int? = nil) async -> Reply {
    let intent = session.refuseTooLong(limit: limit)
    let line = TypedLine(.text("a line of more than \(limit) bytes"), number: number)
    return await shown(carryOut(intent, line, within: nil))
  }

  /// Handles the end of the input.
  ///
  /// - Parameter number: the number of the line after the last one, counted from 1.
  /// - Returns: ``Reply/Outcome/quit``, or a rejection if a text of several lines is unfinished.
  public func endOfInput(number: Int? = nil) -> Reply {
    let text = session.loggedText ?? "the end of the input"
    guard case .refused(let refusal) = session.end() else { return Reply(.quit) }
    currentLineEntry = nil
    return Reply(refuse(refusal, TypedLine(.text(text), number: number)))
  }

  private func shown(_ outcome: LineOutcome) async -> Reply {
    guard let limit = outcome.settling else { return Reply(outcome) }
    return Reply(outcome, screen: await show(within: limit))
  }

  /// Carries out a line, without rendering a screen.
  func perform(
    _ bytes: [UInt8], number: Int? = nil, seenScreen: Int? = nil, within limit: Duration?
  ) async -> LineOutcome {
    let text = session.loggedText
    let intent = session.interpret(bytes, on: bareScreen, seenScreen: seenScreen)
    let line = TypedLine(text.map { .text($0) } ?? .line(bytes), number: number)
    return await carryOut(intent, line, within: limit)
  }

  /// Carries out the answer to a prompt, without rendering a screen.
  func perform(
    _ bytes: [UInt8], answering prompt: Prompt, within limit: Duration?
  ) async -> LineOutcome {
    let intent = session.answer(prompt, with: bytes, on: bareScreen)
    let line = TypedLine(.text("the answer to '\(prompt.question)'"), number: nil)
    return await carryOut(intent, line, within: limit)
  }

  private func carryOut(
    _ intent: Intent, _ line: TypedLine, within given: Duration?
  ) async -> LineOutcome {
    // Features have been asked to save their data already: a change would be lost.
    guard !isEnding else { return LineOutcome(.quit) }
    currentLineEntry = nil
    session.willCarryOut(intent)
    nextScreenCause = .line(line.number)
    switch intent {
    case .nothing: return LineOutcome(.nothing)
    case .needsMoreLines: return LineOutcome(.needsMoreLines)
    case .prompt(let prompt):
      if let refusal = rewindingRefusal { return refuse(refusal, line) }
      return LineOutcome(.prompt(prompt))
    case .refused(let refusal): return refuse(refusal, line)
    case .redraw: return LineOutcome(.accepted, settling: given ?? scriptTimeout)
    case .activate(let activation):
      if let refusal = rewindingRefusal { return refuse(refusal, line) }
      rememberState()
      if case .text(let secret) = activation.input, activation.isSecret { secrets.add([secret]) }
      note(.activation(activation, line: line.number))
      noteForTimeline(words(of: line), line.number) {
        if activation.isSecret { return nil }
        return bareScreen.scriptLine(for: activation).map { [$0] } ?? script(of: line)
      }
      guard activate(control: activation.control, input: activation.input) else {
        return refuse(
          .notTaken(label: activation.label), line)
      }
      return LineOutcome(.accepted, settling: given ?? scriptTimeout)
    case .command(let command): return await carryOut(command, line, within: given)
    }
  }

  private func carryOut(
    _ command: Command, _ line: TypedLine, within given: Duration?
  ) async -> LineOutcome {
    var output: [String] = []
    var limit = given ?? scriptTimeout
    if let refusal = rewindingRefusal, !Self.isFree(command) { return refuse(refusal, line) }
    switch command {
    // Commands that only print are not logged, so that `:explain` reports the line before them.
    case .log, .explain, .state, .plugins, .graph, .path, .help, .timeline, .diff: break
    case .open(let link) where !mayRecord(link: link):
      note(.typed(words(of: line), line: line.number))
      noteForTimeline(":open <secret>", line.number) { nil }
    default:
      note(.typed(words(of: line), line: line.number))
      if !Self.isFree(command) {
        noteForTimeline(words(of: line), line.number) { script(of: line) }
      }
    }
    var refusal: Rejection?
    switch command {
    case .back: refusal = goBack()
    case .dismiss:
      guard isInModal, let layer = state.navigation.topLayer else {
        refusal = navigate(.dismiss)
        break
      }
      guard await leaveCurrentScreen() else { return refuseUntilAnswered(line) }
      // The back action may have closed the dialog.
      if state.navigation.layers[layer] != nil { refusal = navigate(.dismiss) }
    case .tab(let name):
      guard let node = tab(named: name) else {
        return refuse(Rejection(.noSuchTab, "there is no tab '\(name)' here"), line)
      }
      refusal = navigate(.select(node: node))
    case .path(let isFull):
      // Not wrapped: it is a link, which users copy.
      output = session.output(positionLines(isFull: isFull), of: .path)
    case .open(let link):
      if leavesCurrentScreen(link), !(await leaveCurrentScreen()) {
        return refuseUntilAnswered(line)
      }
      switch open(link) {
      case .opened: break
      case .waiting(let node): output = session.output([waitingText(link, node)], of: .open)
      case .refused(let refusal): return refuse(refusal, line)
      }
    case .graph:
      let settings = session.settings
      let style: Style = if case .text(let style) = settings.format { style } else { .plain }
      output = session.output(drawing.lines(width: settings.width, style: style), of: .graph)
    case .state: output = stateOutput()
    case .log(let query): output = logOutput(query)
    case .explain(nil): output = explainOutput()
    case .explain(let code?):
      do throws(UnknownCode) {
        output = try explainOutput(of: code)
      } catch {
        return refuse(Rejection(.noSuchCode, error.reason), line)
      }
    case .plugins: output = pluginsOutput()
    case .help(let name): output = session.help(name)
    case .wait(let seconds):
      limit = seconds.map { .milliseconds(Int($0 * 1000)) } ?? Self.timeout
      // In a script, the limit also applies to later lines.
      if given == nil, seconds != nil { scriptTimeout = limit }
    case .sleep(let seconds):
      // If the sleep is cancelled, the screen is shown at once.
      try? await Task.sleep(for: .milliseconds(Int(seconds * 1000)))
    case .expect(let text, nil):
      _ = await settle(within: limit)
      guard shows(text) else { return refuse(.notShown(text), line) }
    case .expect(let text, let seconds?):
      await wait(until: { shows(text) }) {
        try? await Task.sleep(for: .milliseconds(Int(seconds * 1000)))
      }
      guard shows(text) else {
        return refuse(.notShown(text), line, settling: .zero)
      }
    case .expectPath(let expected):
      _ = await settle(within: limit)
      let actual = position(isFull: true)
      guard actual == expected else {
        return refuse(.otherPath(expected: expected, actual: actual), line)
      }
    case .reload(nil):
      switch await reloadManifest() {
      case .adopted, .reloaded: break
      case .unchanged, .restored:
        output = session.output(
          ["The running manifest is up to date; nothing has changed."], of: .reload)
      case .refused(let refusal): return refuse(refusal, line)
      }
    case .reload(let plugin?):
      switch await reload(plugin) {
      case .reloaded, .adopted: break
      case .unchanged, .restored:
        output = session.output(
          ["'\(plugin)' is the build that runs; nothing has changed."], of: .reload)
      case .refused(let refusal): return refuse(refusal, line)
      }
    case .resume(let plugin):
      guard current.plugins.contains(where: { $0.name == plugin }) else {
        return refuse(current.unknownPlugin(plugin), line)
      }
      guard resume(plugin: plugin) else {
        return refuse(
          Rejection(.notSuspended, "'\(plugin)' is not suspended; nothing has changed"), line)
      }
    case .quit: return LineOutcome(.quit)
    case .timeline, .rewind, .forward, .goto, .now, .continue, .diff, .record:
      do throws(Rejection) {
        output = try await carryOutTimeline(command) ?? []
      } catch {
        return refuse(error, line)
      }
    case .press, .next, .previous, .page, .find, .history, .again:
      // Commands of terminals, and those that the session carries out.
      let name = command.name.rawValue
      return refuse(
        .unsupportedCommand(name, supported: Self.commands.map(\.rawValue).sorted()), line)
    }
    if let refusal {
      return refuse(refusal, line)
    }
    return LineOutcome(.accepted, output: output, settling: limit)
  }

  private func note(_ subject: ActionLog.Subject, refusal: Rejection? = nil) {
    let count = state.journal.count
    log.note(subject, events: count..<count, refusal: refusal)
    currentLineEntry = log.count
  }

  /// Rejects a command that leaves a screen, because the screen's back action did not close it.
  private func refuseUntilAnswered(_ line: TypedLine) -> LineOutcome {
    let title = content?.title ?? ""
    return refuse(
      .askedFirst(title: title), line, settling: scriptTimeout)
  }

  private func refuse(
    _ refusal: Rejection, _ line: TypedLine, settling: Duration? = nil
  ) -> LineOutcome {
    timeline?.forget(line: words(of: line))
    if let currentLineEntry, let entry = log.refuse(currentLineEntry, refusal) {
      // The observer may have received the entry before the rejection; it receives it again.
      if entry.number <= observedActions { actionObserver?(record(entry)) }
    } else {
      note(.typed(words(of: line), line: line.number), refusal: refusal)
    }
    return LineOutcome(
      .refused(code: refusal.code), output: session.lines(for: refusal, line: line.number),
      reason: refusal.message.replacing("\n", with: " "), settling: settling)
  }

  private func shows(_ text: String) -> Bool {
    session.shows(text, on: shellScreen(notices: [], isSettled: true))
  }

  /// The lines of a script that repeat a line without secrets, as it was typed; `nil` if there are
  /// none.
  private func script(of line: TypedLine) -> [String]? {
    guard case .line(let bytes) = line.source else { return nil }
    return session.scriptLine(bytes).map { [$0] }
  }

  /// The text of the line for the log, without secrets.
  private func words(of line: TypedLine) -> String {
    switch line.source {
    case .line(let bytes): session.logged(bytes, on: bareScreen)
    case .text(let text): text
    }
  }
}

/// A line that is being carried out, as the log describes it.
private struct TypedLine {
  enum Source {
    /// The bytes that were typed.
    case line([UInt8])
    /// A description without secrets.
    case text(String)
  }

  let source: Source
  /// The line's number in a script, counted from 1; `nil` if a user typed it.
  let number: Int?

  init(_ source: Source, number: Int?) {
    self.source = source
    self.number = number
  }
}

extension App {
  /// Loads a manifest, shows its start node, and waits until the app has settled, for ``timeout``
  /// at most.
  ///
  /// - Parameters:
  ///   - manifest: the manifest's path.
  ///   - options: options for loading.
  /// - Returns: an app that is running, with a conversation.
  /// - Throws: ``AppLoadError`` with every problem of the manifest and its plugins.
  public static func launch(
    _ manifest: String, options: AppOptions = AppOptions()
  ) async throws(AppLoadError) -> App {
    let app = App(try LoadedApp.load(manifest, options: options))
    try await app.begin()
    await app.converse()
    _ = await app.settle(within: Self.timeout)
    return app
  }
}
