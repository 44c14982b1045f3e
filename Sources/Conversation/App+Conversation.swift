public import AppCheck
@_spi(Host) internal import AppCore
public import AppCoreHost
internal import Diagnostics
internal import Navigation
public import Shell
internal import Support

// Lines in, screens out.
extension App {
  /// The commands that an app can carry out.
  public static let commands: Set<CommandName> = [
    .back, .dismiss, .tab, .open, .press, .next, .previous, .page, .find, .path, .graph, .state,
    .log, .plugins, .reload, .resume, .explain, .timeline, .rewind, .forward, .goto, .now,
    .continue, .diff, .record, .wait, .sleep, .expect, .expectPath, .help, .quit,
  ]

  /// Begins a conversation; what was shown in another one is forgotten.
  public func converse(_ settings: SessionSettings = SessionSettings()) {
    var settings = settings
    let own: Set<CommandName> = settings.isInteractive ? Self.terminalCommands : []
    settings.commands.formIntersection(Self.commands.union(own))
    session = ShellSession(settings)
    scriptPatience = Self.patience
  }

  /// Changes the size of the screens to come.
  ///
  /// - Parameters:
  ///   - width: in columns.
  ///   - rows: those of the window, where lists are as long as it allows.
  public func resize(to width: Int, rows: Int? = nil) {
    session.settings.width = width
    if session.settings.windowRows != nil, let rows { session.settings.windowRows = rows }
  }

  /// The screen once it has settled, or as it is when `limit` has passed.
  public func show(within limit: Duration = App.patience) async -> [String] {
    let isSettled = await settle(within: limit)
    let lines = session.frame(
      shellScreen(notices: notices(after: toldCount), isSettled: isSettled, cause: replyCause))
    saveSession()
    didPrint(lines)
    return lines
  }

  /// Reads one line, carries it out and shows what there is then.
  ///
  /// - Parameters:
  ///   - bytes: the line without its newline.
  ///   - number: its number in a script, from 1, for a refusal.
  ///   - seenScreen: the number of the screen that showed when the line was begun; the last one
  ///     unless given.
  ///   - limit: how long to wait for the screen to settle; unless given, as long as a script's
  ///     lines wait: ``patience``, or what `:wait` has set.
  /// - Returns: what it came to, and what is to be printed.
  public func send(
    line bytes: [UInt8], number: Int? = nil, seenScreen: Int? = nil,
    within limit: Duration? = nil
  ) async -> Reply {
    await shown(perform(bytes, number: number, seenScreen: seenScreen, within: limit))
  }

  /// Reads one line, carries it out and shows what there is then.
  public func send(line: String) async -> Reply { await send(line: Array(line.utf8)) }

  /// Hands over what a person typed when they were asked.
  public func answer(
    _ prompt: Prompt, with bytes: [UInt8], within limit: Duration? = nil
  ) async -> Reply {
    await shown(perform(bytes, answering: prompt, within: limit))
  }

  /// Refuses a line that was too long to be read.
  public func refuseTooLong(limit: Int, number: Int? = nil) async -> Reply {
    let intent = session.refuseTooLong(limit: limit)
    let line = TypedLine(.text("a line of more than \(limit) bytes"), number: number)
    return await shown(carryOut(intent, line, within: nil))
  }

  /// What the end of the input comes to.
  public func endOfInput(number: Int? = nil) -> Reply {
    let text = session.loggedText ?? "the end of the input"
    guard case .refused(let refusal) = session.end() else { return Reply(.quit) }
    lineEntry = nil
    return Reply(refuse(refusal, TypedLine(.text(text), number: number)))
  }

  private func shown(_ outcome: LineOutcome) async -> Reply {
    guard let limit = outcome.settling else { return Reply(outcome) }
    return Reply(outcome, screen: await show(within: limit))
  }

  /// Reads one line and carries it out; nothing is drawn.
  func perform(
    _ bytes: [UInt8], number: Int? = nil, seenScreen: Int? = nil, within limit: Duration?
  ) async -> LineOutcome {
    let text = session.loggedText
    let intent = session.interpret(bytes, on: bareScreen, seenScreen: seenScreen)
    let line = TypedLine(text.map { .text($0) } ?? .line(bytes), number: number)
    return await carryOut(intent, line, within: limit)
  }

  /// Carries out what a person answered; nothing is drawn.
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
    // What would be changed now, no feature would be asked to save.
    guard !isEnding else { return LineOutcome(.quit) }
    lineEntry = nil
    replyCause = .line(line.number)
    switch intent {
    case .nothing: return LineOutcome(.nothing)
    case .needsMoreLines: return LineOutcome(.needsMoreLines)
    case .prompt(let prompt): return LineOutcome(.prompt(prompt))
    case .refused(let refusal): return refuse(refusal, line)
    case .redraw: return LineOutcome(.accepted, settling: given ?? scriptPatience)
    case .activate(let activation):
      if let refusal = rewindingRefusal { return refuse(refusal, line) }
      rememberState()
      note(.activation(activation, line: line.number))
      noteForTimeline(words(of: line), line.number) {
        bareScreen.scriptLine(for: activation).map { [$0] }
      }
      guard activate(control: activation.control, input: activation.input) else {
        return refuse(
          .notTaken(label: activation.label), line)
      }
      return LineOutcome(.accepted, settling: given ?? scriptPatience)
    case .command(let command): return await carryOut(command, line, within: given)
    }
  }

  private func carryOut(
    _ command: Command, _ line: TypedLine, within given: Duration?
  ) async -> LineOutcome {
    var output: [String] = []
    var limit = given ?? scriptPatience
    if let refusal = rewindingRefusal, !Self.isFree(command) { return refuse(refusal, line) }
    switch command {
    // They look and change nothing: what they tell of stays the last.
    case .log, .explain, .state, .plugins, .graph, .path, .help, .timeline, .diff: break
    case .open(let link) where !mayRecord(link: link):
      note(.typed(words(of: line), line: line.number))
      noteForTimeline(":open <secret>", line.number) { nil }
    default:
      note(.typed(words(of: line), line: line.number))
      if !Self.isFree(command) {
        noteForTimeline(words(of: line), line.number) { [words(of: line)] }
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
      guard await leaveFront() else { return refuseUntilAnswered(line) }
      // Going back may have closed it.
      if state.navigation.layers[layer] != nil { refusal = navigate(.dismiss) }
    case .tab(let name):
      guard let node = tab(named: name) else {
        return refuse(Rejection(.noSuchTab, "there is no tab '\(name)' here"), line)
      }
      refusal = navigate(.select(node: node))
    case .path(let isFull):
      // Not wrapped: it is a link, to be copied.
      output = session.output(positionLines(isFull: isFull), of: .path)
    case .open(let link):
      if leavesFront(link), !(await leaveFront()) { return refuseUntilAnswered(line) }
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
      limit = seconds.map { .milliseconds(Int($0 * 1000)) } ?? Self.patience
      // In a script it holds for the lines after it too.
      if given == nil, seconds != nil { scriptPatience = limit }
    case .sleep(let seconds):
      // Whoever interrupts it sees the screen at once.
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
        let names = current.plugins.map(\.name)
        let hint =
          NearestName.of(plugin, among: names).map { "did you mean '\($0)'?" }
          ?? "it has \(names.joined(separator: ", "))"
        return refuse(Rejection(.noSuchPlugin, "the app has no plugin '\(plugin)'; \(hint)"), line)
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
      // Not among ``commands``, or carried out by the session itself.
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
    lineEntry = log.count
  }

  /// Refuses a command that leaves a screen, because the screen asks something first.
  private func refuseUntilAnswered(_ line: TypedLine) -> LineOutcome {
    let title = content?.title ?? ""
    return refuse(
      .askedFirst(title: title), line, settling: scriptPatience)
  }

  private func refuse(
    _ refusal: Rejection, _ line: TypedLine, settling: Duration? = nil
  ) -> LineOutcome {
    timeline?.forget(line: words(of: line))
    if let lineEntry, let entry = log.refuse(lineEntry, refusal) {
      // An observer that was called with the line already is called again.
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

  /// The line as the log has it.
  private func words(of line: TypedLine) -> String {
    switch line.source {
    case .line(let bytes): session.logged(bytes, on: bareScreen)
    case .text(let text): text
    }
  }
}

/// A line that is carried out, for the log.
private struct TypedLine {
  enum Source {
    /// As it was typed.
    case line([UInt8])
    /// What it is, in words that may be shown.
    case text(String)
  }

  let source: Source
  /// Its number in a script, from 1.
  let number: Int?

  init(_ source: Source, number: Int?) {
    self.source = source
    self.number = number
  }
}

extension App {
  /// Loads a manifest, shows its start node, and waits for its first effects.
  ///
  /// Where they take longer than ``patience``, the app is returned as it is then.
  ///
  /// - Parameters:
  ///   - manifest: the manifest's path.
  ///   - options: what it is loaded with.
  /// - Returns: an app that has begun and takes lines.
  /// - Throws: ``AppLoadError`` with every problem of the manifest and its plugins.
  public static func launch(
    _ manifest: String, options: AppOptions = AppOptions()
  ) async throws(AppLoadError) -> App {
    let app = App(try LoadedApp.load(manifest, options: options))
    try await app.begin()
    await app.converse()
    _ = await app.settle(within: Self.patience)
    return app
  }
}
