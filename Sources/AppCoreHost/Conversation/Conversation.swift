@_spi(Host) internal import AppCore
internal import FullScreen
internal import Navigation
internal import Sessions
internal import Shell
internal import Support

/// A conversation with an app: lines are carried out, and screens are shown.
///
/// A line, in this order:
/// 1. The session turns its bytes into an intent: a control and its input, a command, or a rejection.
/// 2. ``carryOut(_:_:within:in:)`` sends it to the app, and logs it.
/// 3. The screen is shown once the app has settled (``show(within:of:)``), unless nothing can have
///    changed.
final class Conversation {
  /// The commands that a terminal carries out without the app.
  static let terminalCommands: Set<ShellCommand> = [.history, .again, .fullScreen, .lines]

  /// What lines refer to, and how screens are drawn.
  var session = ShellSession()
  /// What a person sees full screen; `nil` for lines.
  var view: ScreenView?
  var viewSize = GridSize(columns: 80, rows: 24)
  /// What ``view`` shows; `nil` if it has to be laid out.
  var viewEdition: ViewEdition?
  /// The number of pictures that were drawn, and of keys that were handled full screen.
  var pictureCount = 0
  var keyCount = 0
  /// How many events of the journal the user has been told of.
  var seenEventCount = 0
  /// How long each line of a script waits for effects to settle before its screen is shown.
  private(set) var scriptTimeout = App.timeout
  /// What caused the next screen of a script: the start, or a line.
  var nextScreenCause: ScreenCause?
  /// The screen that was printed last for a program, and how many entries the log had then.
  var printedContent: [String] = []
  var printedLogCount = 0
  /// The number of the log's entry for the line that is being carried out.
  private var currentLineEntry: Int?
  /// The current instance and its state before the last line.
  ///
  /// It is a reference to the copy-on-write state, so the first change by each line copies it.
  private(set) var stateBeforeLine: (id: InstanceID, state: InstanceState)?

  /// Begins anew; lines can't refer to screens from before.
  func begin(_ settings: SessionSettings) {
    var settings = settings
    let own = settings.isInteractive ? Self.terminalCommands : []
    settings.commands.formIntersection(App.commands.union(own))
    session = ShellSession(settings)
    scriptTimeout = App.timeout
  }

  /// Carries out a line, the answer to a prompt, or the end of the input, without showing a screen.
  ///
  /// A line that was too long to be read is rejected, in a text of several lines at the text's end;
  /// so is the end of the input if a text is unfinished. `number` is that of a script's line, and
  /// `seenScreen` that of the screen that was shown when the line was begun. If `limit` is `nil`, a
  /// `:wait` before has set how long the screen may take to settle.
  func perform(
    _ event: LineReader.Event, answering prompt: Prompt? = nil, number: Int? = nil,
    seenScreen: Int? = nil, within limit: Duration? = nil, in app: isolated App
  ) async -> Reply {
    let text = session.loggedText
    let intent: Intent
    var line = TypedLine(seenScreen: seenScreen, number: number)
    switch event {
    case .line(let bytes):
      if let prompt {
        intent = session.answer(prompt, with: bytes, on: bareScreen(of: app))
        line.text = "the answer to '\(prompt.question)'"
      } else {
        intent = session.interpret(bytes, on: bareScreen(of: app), seenScreen: seenScreen)
        if let standIn = text ?? standIn(for: bytes, intent, in: app) {
          line.text = standIn
        } else {
          line.bytes = bytes
        }
      }
    case .tooLong(let bound):
      intent = session.refuseTooLong(limit: bound)
      line.text = "a line of more than \(bound) bytes"
    case .end:
      intent = session.end()
      guard intent != .nothing else { return Reply(.quit) }
      line.text = text ?? "the end of the input"
    }
    return await carryOut(intent, line, within: limit, in: app)
  }

  /// Carries out what a person has done to a control full screen, without showing a screen.
  ///
  /// It is logged and recorded as the line that does the same.
  func perform(
    _ activation: Activation, within limit: Duration?, in app: isolated App
  ) async -> Reply {
    let named = bareScreen(of: app).named(activation)
    let activation = named ?? activation
    let isScript = named != nil && !activation.isSecret
    let line = TypedLine(
      bytes: isScript ? Array("\(activation)".utf8) : nil, text: isScript ? "" : "\(activation)",
      number: nil)
    return await carryOut(.activate(activation), line, within: limit, in: app)
  }

  /// Rejects what a person has typed in a control full screen, which would have been this line.
  func refuse(_ rejection: Rejection, line: String, in app: isolated App) async -> Reply {
    let line = TypedLine(bytes: Array(line.utf8), number: nil)
    return await carryOut(.refused(rejection), line, within: nil, in: app)
  }

  /// The reply to a line, with the screen that it has led to.
  func shown(_ reply: Reply, in app: isolated App) async -> Reply {
    guard let limit = reply.settling else { return reply }
    var shown = reply
    shown.screen = await show(within: limit, of: app)
    return app.state.hasQuit ? Reply(.quit) : shown
  }

  private func carryOut(
    _ intent: Intent, _ line: TypedLine, within given: Duration?, in app: isolated App
  ) async -> Reply {
    // Features have been asked to save their data already: a change would be lost.
    guard !app.isEnding, !app.state.hasQuit else { return Reply(.quit) }
    currentLineEntry = nil
    session.willCarryOut(intent)
    nextScreenCause = ScreenCause(origin: "line", line: line.number)
    switch intent {
    case .nothing: return Reply(.nothing)
    case .needsMoreLines: return Reply(.needsMoreLines)
    case .prompt(let prompt):
      if let refusal = app.timeline.refusalToAct { return refuse(refusal, line, in: app) }
      return Reply(.prompt(prompt))
    case .refused(let refusal): return refuse(refusal, line, in: app)
    case .redraw: return Reply(.accepted, settling: given ?? scriptTimeout)
    case .activate(let activation):
      if let refusal = app.timeline.refusalToAct { return refuse(refusal, line, in: app) }
      stateBeforeLine = app.state.feature(of: app.state.current, app.features).map {
        ($0.id, $0.state)
      }
      if case .text(let secret) = activation.input, activation.isSecret {
        app.keeper.secrets.add([secret])
      }
      log(.activation(activation, line: line.number), in: app)
      record(words(of: line, in: app), line.number, in: app) {
        if activation.isSecret { return nil }
        return bareScreen(of: app).scriptLine(for: activation).map { [$0] } ?? script(of: line)
      }
      guard app.activate(control: activation.control, input: activation.input) else {
        return refuse(
          Rejection(.notTaken, "'\(activation.label)' does not take this value"), line, in: app)
      }
      return Reply(.accepted, settling: given ?? scriptTimeout)
    case .command(let command):
      return await carryOut(command, line, within: given, in: app)
    }
  }

  private func carryOut(
    _ command: Command, _ line: TypedLine, within given: Duration?, in app: isolated App
  ) async -> Reply {
    var output: [String] = []
    var limit = given ?? scriptTimeout
    if let refusal = app.timeline.refusalToAct, !command.isFree {
      return refuse(refusal, line, in: app)
    }
    switch command {
    // Commands that only print are not logged, so that `:explain` reports the line before them.
    case .log, .explain, .state, .plugins, .graph, .path, .help, .timeline, .diff: break
    default:
      log(.typed(words(of: line, in: app), line: line.number), in: app)
      if !command.isFree {
        record(words(of: line, in: app), line.number, in: app) { script(of: line) }
      }
    }
    do throws(Rejection) {
      switch command {
      case .back: if let refusal = app.goBack() { throw refusal }
      case .dismiss:
        guard app.shownState.isInModal, let layer = app.state.navigation.topLayer else {
          if let refusal = app.navigate(.dismiss) { throw refusal }
          break
        }
        guard await leaveCurrentScreen(of: app) else { return refuseUntilAnswered(line, in: app) }
        // The back action may have closed the dialog.
        if app.state.navigation.layers[layer] != nil, let refusal = app.navigate(.dismiss) {
          throw refusal
        }
      case .tab(let name):
        guard let node = app.state.tab(named: name, in: app.graph) else {
          throw Rejection(.noSuchTab, "there is no tab '\(name)' here")
        }
        if let refusal = app.navigate(.select(node: node)) { throw refusal }
      case .path(let isFull):
        // Not wrapped: it is a link, which users copy.
        let remark = isFull ? app.positionRemark : nil
        output = session.output(
          [app.position(isFull: isFull)] + [remark].compactMap { $0 }, of: .path)
      case .open(let link):
        if leavesCurrentScreen(link, of: app), !(await leaveCurrentScreen(of: app)) {
          return refuseUntilAnswered(line, in: app)
        }
        switch app.open(link) {
        case .opened: break
        case .waiting(let node):
          output = session.output(["'\(link)' opens as soon as '\(node)' is there"], of: .open)
        case .refused(let refusal): throw refusal
        }
      case .graph:
        let settings = session.settings
        output = session.output(
          drawing(of: app).lines(width: settings.width, style: settings.textStyle), of: .graph)
      case .state: output = stateOutput(of: app)
      case .log(let query): output = logOutput(query, of: app)
      case .explain(nil): output = explainOutput(of: app)
      case .explain(let code?): output = try explainOutput(of: code, in: app)
      case .plugins: output = pluginsOutput(of: app)
      case .help(let name): output = session.help(name)
      case .wait(let seconds):
        limit = seconds.map { .milliseconds(Int($0 * 1000)) } ?? App.timeout
        // In a script, the limit also applies to later lines.
        if given == nil, seconds != nil { scriptTimeout = limit }
      case .sleep(let seconds):
        // If the sleep is cancelled, the screen is shown at once.
        try? await Task.sleep(for: .milliseconds(Int(seconds * 1000)))
      case .expect(let text, nil):
        _ = await app.settle(within: limit)
        guard shows(text, in: app) else { throw .notShown(text) }
      case .expect(let text, let seconds?):
        await app.wait(until: { shows(text, in: app) }) {
          try? await Task.sleep(for: .milliseconds(Int(seconds * 1000)))
        }
        guard shows(text, in: app) else {
          return refuse(.notShown(text), line, settling: .zero, in: app)
        }
      case .expectPath(let expected):
        _ = await app.settle(within: limit)
        let actual = app.position(isFull: true)
        guard actual == expected else { throw .otherPath(expected: expected, actual: actual) }
      case .reload(let plugin):
        switch await app.reloader.reload(plugin, isAsked: true, in: app) {
        case .adopted, .reloaded: break
        case .unchanged, .restored:
          let text =
            plugin.map { "'\($0)' is the build that runs; nothing has changed." }
            ?? "The running manifest is up to date; nothing has changed."
          output = session.output([text], of: .reload)
        case .refused(let refusal): throw refusal
        }
      case .resume(let plugin):
        guard app.current.pluginNames.contains(plugin) else {
          throw app.current.unknownPlugin(plugin)
        }
        guard app.keeper.isSuspended(plugin, in: app) else {
          throw Rejection(.notSuspended, "'\(plugin)' is not suspended; nothing has changed")
        }
        app.keeper.wake(plugin: plugin, in: app)
      case .screenshot(let path):
        _ = await app.settle(within: limit)
        output = try writePicture(to: path, in: app)
      case .quit: return Reply(.quit)
      case .timeline, .rewind, .forward, .goto, .now, .continue, .diff, .record:
        output = try await timelineOutput(of: command, in: app)
      case .press, .next, .previous, .page, .find, .sort, .history, .again, .fullScreen, .lines:
        // Commands of terminals; the others are carried out by the session.
        let name =
          switch command {
          case .again: "again"
          case .fullScreen: "full-screen"
          case .lines: "lines"
          default: "history"
          }
        throw .unsupportedCommand(name, supported: App.commands.map(\.name).sorted())
      }
    } catch {
      return refuse(error, line, in: app)
    }
    return Reply(.accepted, output: output, settling: limit)
  }

  private func log(
    _ subject: ActionLog.Subject, refusal: Rejection? = nil, in app: isolated App
  ) {
    app.log.append(subject, after: app.state.journal.count, refusal: refusal)
    currentLineEntry = app.log.count
    // Now, since carrying it out may end the process.
    app.watch.remember(app.log)
  }

  /// Adds a line that is about to be carried out to the timeline.
  ///
  /// `words` is the line without secrets; `script` returns the equivalent lines of a script, or
  /// `nil` if none can be written, as for a secret.
  private func record(
    _ words: @autoclosure () -> String, _ number: Int?, in app: isolated App,
    script: () -> [String]?
  ) {
    guard let recorder = app.stepRecorder else { return }
    recorder.add(RecordedStep.Line(words(), number: number, script: script()))
  }

  /// Rejects a command that leaves a screen, because the screen's back action did not close it.
  private func refuseUntilAnswered(_ line: TypedLine, in app: isolated App) -> Reply {
    let title = content(of: app)?.title ?? ""
    return refuse(
      Rejection(
        .askedFirst, "'\(title)' asks before it is left; answer it, then write the command again"),
      line, settling: scriptTimeout, in: app)
  }

  private func refuse(
    _ refusal: Rejection, _ line: TypedLine, settling: Duration? = nil, in app: isolated App
  ) -> Reply {
    app.stepRecorder?.remove(line: words(of: line, in: app))
    // The message quotes the link.
    let logged =
      line.text == Self.hiddenLink ? Rejection(refusal.rule, "the link can't be opened") : refusal
    let isLogged =
      currentLineEntry.map { app.log.refuse($0, logged, app.state.journal) } ?? false
    if !isLogged {
      log(.typed(words(of: line, in: app), line: line.number), refusal: logged, in: app)
    }
    return Reply(
      .refused(code: refusal.code), output: session.lines(for: refusal, line: line.number),
      reason: refusal.message.replacing("\n", with: " "), settling: settling)
  }

  /// The lines of a script that repeat a line without secrets, as it was typed; `nil` if there are
  /// none.
  private func script(of line: TypedLine) -> [String]? {
    line.bytes.flatMap { session.scriptLine($0) }.map { [$0] }
  }

  /// The text of the line for the log, without secrets.
  private func words(of line: TypedLine, in app: isolated App) -> String {
    line.bytes.map {
      session.logged($0, on: bareScreen(of: app), seenScreen: line.seenScreen)
    } ?? line.text
  }

  /// Whether opening a link leaves the current screen now: the link is valid, and the node that it
  /// needs, if any, has an instance.
  private func leavesCurrentScreen(_ link: String, of app: isolated App) -> Bool {
    guard let plan = try? app.plan(link) else { return false }
    guard let needs = plan.needs else { return true }
    let instances = app.state.instances
    return instances.ids.contains { instances[$0]?.node == needs }
  }

  /// Sends the back action of the current screen, if it has one, and waits until its instance is
  /// gone or the app has settled, for ``App/timeout`` at most.
  ///
  /// Returns whether the instance is gone, or the screen has no back action.
  private func leaveCurrentScreen(of app: isolated App) async -> Bool {
    guard let id = app.state.current, let action = app.screen?.back else { return true }
    app.store?.send(.instance(id, action))
    let account = app.store?.activityAccount
    await app.wait(until: { app.state.instances[id] == nil }) {
      _ = await account?.settled(within: App.timeout)
    }
    return app.state.instances[id] == nil
  }
}

/// A line that is being carried out, as the log describes it.
private struct TypedLine {
  /// The bytes that were typed; `nil` if ``text`` describes them.
  var bytes: [UInt8]?
  /// A description without secrets.
  var text = ""
  /// The number of the screen that was shown when it was begun; `nil` for the last one.
  var seenScreen: Int?
  /// The line's number in a script, counted from 1; `nil` if a user typed it.
  let number: Int?
}

extension Command {
  /// Whether it may be carried out while a past step is shown.
  fileprivate var isFree: Bool {
    switch self {
    case .back, .dismiss, .tab, .open, .reload, .resume: false
    default: true
    }
  }
}
