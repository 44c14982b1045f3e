internal import FullScreen
internal import Glibc
internal import LineEditor
internal import Sessions
package import Shell
public import Support

/// Runs an app for a user at a terminal.
///
/// The user types in a line editor, below a screen that is updated in place. In plain mode, which
/// is for terminals without escape sequences (`TERM=dumb`) and for users who ask for it, the
/// terminal driver edits the lines, and screens are printed one after another. Full screen, there are
/// keys instead of lines. A ``Surface`` is any of them.
///
/// A line, in this order:
/// 1. The surface returns it as input.
/// 2. ``Conversation/submit(_:answering:seenScreen:noticesAfter:in:)`` carries it out on the app's
///    thread, and the reply is posted to the mailbox.
/// 3. The surface shows the reply, and asks for the next line.
///
/// Only the thread that calls ``run()`` uses the surface, so its output is never interleaved. It
/// waits for input and for messages in the mailbox, whichever comes first; so keys are echoed at
/// once, however busy the app is. A screen that has not settled after a short time is shown as it
/// is, and again when it has settled.
public final class TerminalRunner {
  public struct Options: Sendable {
    /// Whether to use plain mode: no escape sequences and no redrawing.
    public var isPlain: Bool
    /// Whether to begin full screen, if the terminal can show it.
    public var isFullScreen = false
    /// The path of the history file; `nil` keeps the history in memory only.
    public var historyPath: String?
    /// The commands that may be typed; without `:quit`, no key ends the app.
    package var commands = Set(ShellCommand.all)
    /// Whether to reload the plugins and the manifest when their files change.
    public var followsPlugins = false
    /// How long a feature may block the app's thread before it is reported; `nil` for no limit.
    public var watchdog: Duration?
    /// How long a feature may block the app's thread before the process is ended; `nil` for no
    /// limit.
    public var hangLimit: Duration?
    /// Ends the process when ``hangLimit`` has passed, if no supervisor can restore the app; takes
    /// the reason.
    public var endHang: @Sendable (String) -> Void = { _ in }

    /// Creates options; arguments that are not given are taken from the environment.
    ///
    /// `TERM=dumb`, an empty or missing `TERM`, and `APPCORE_PLAIN` other than `0` select plain
    /// mode. `APPCORE_HISTORY` is the path of the history file, or `off`.
    public init(isPlain: Bool? = nil, historyPath: String?? = .none) {
      let facts = TerminalFacts(descriptor: StandardOutput.descriptor)
      let isDumb = ["", "dumb"].contains(TerminalFacts.variable("TERM") ?? "")
      self.isPlain = isPlain ?? (isDumb || facts.wantsPlain)
      self.historyPath = historyPath ?? HistoryFile.path(TerminalFacts.variable)
    }
  }

  /// Restores the terminal's modes because the process ends; they can't be changed again.
  ///
  /// Callable from any thread.
  @Sendable public static func restoreTerminal() { TerminalModes.close() }

  let app: App
  let session: AppSession?
  let options: Options
  private let events = TerminalEvents(input: STDIN_FILENO)
  private var surface: any Surface
  let mailbox: Mailbox
  private let history: TypedHistory
  /// The number of lines that were typed, which tells late replies and screens from expected ones.
  private var lineCount = 0
  /// The task that carries out the last line.
  private var work: Task<Void, Never>?
  /// Follows the app's screens.
  private var follower: Task<Void, Never>?
  /// Whether the first screen is shown.
  private var hasBegun = false
  /// The piece of work that kept the app busy when Ctrl-C was pressed last.
  private var interruptedHang: Int?
  private var isDone = false
  /// Whether the line that was half-typed in the previous process has been offered.
  private var hasOfferedFormerLine: Bool
  /// Why screens can't be shown full screen; `nil` if they can.
  private let obstacle: String?

  /// Creates a runner on standard input and output.
  public convenience init(_ app: App, options: Options = Options()) {
    self.init(app, nil, options: options)
  }

  /// Creates a runner on standard input and output, for an app whose session is saved, to restore it
  /// after a crash or to resume it.
  package init(_ app: App, _ session: AppSession?, options: Options = Options()) {
    self.app = app
    self.session = session
    self.options = options
    history = TypedHistory(
      path: options.historyPath, keepsLines: options.commands.contains(.history))
    mailbox = Mailbox(app, events, mayLeave: options.commands.contains(.quit))
    obstacle =
      options.isPlain ? "plain mode is for lines" : FullScreenSurface.obstacle
    surface =
      if options.isFullScreen, obstacle == nil {
        FullScreenSurface(events, mailbox)
      } else if options.isPlain {
        PlainSurface(events, mailbox)
      } else {
        EditedSurface(events, mailbox, session, history, offersFormerLine: true)
      }
    hasOfferedFormerLine = surface.pictureSize == nil
  }

  /// Runs the app until the user leaves it.
  ///
  /// Blocks the calling thread, so don't call it from a task. The terminal's modes are restored
  /// however the process ends.
  ///
  /// - Returns: the exit status.
  /// - Throws: `InputOutputError` if a line can't be read or a screen can't be written.
  public func run() throws(InputOutputError) -> Int32 {
    defer { surface.close() }
    beginWatching()
    defer {
      follower?.cancel()
      endWatching()
    }
    let title = SafeText.line(app.loaded.title)
    let help = options.commands.contains(.help) ? ", a label or :help" : " or a label"
    var greeting = [title, "Type a number\(help).", ""]
    if options.isFullScreen, let obstacle {
      greeting.insert("Not full screen: \(obstacle).", at: 1)
    }
    mailbox.pictureSize = surface.pictureSize
    try surface.open(greeting: wasRestored ? nil : greeting)
    SignalStack.give()
    let (app, mailbox, followsPlugins) = (app, mailbox, options.followsPlugins)
    Task {
      if mailbox.pictureSize != nil { await mailbox.applySize() }
      await TerminalRunner.showFirst(of: app, mailbox, followsPlugins: followsPlugins)
    }
    while !isDone {
      let input = try surface.next()
      for message in mailbox.collect() { try receive(message) }
      try handle(input)
    }
    try surface.leave()
    return 0
  }

  /// Whether the app continues a session of a previous process.
  private var wasRestored: Bool { session?.image != nil }

  private func handle(_ input: TerminalInput) throws(InputOutputError) {
    switch input {
    case .line(let event, let seenScreen): try send(event, seenScreen)
    case .keys(let keys): press(keys)
    case .cancelled: try cancel()
    case .ended:
      guard case .line = surface.stage else { return try cancel() }
      // The app says that it is not allowed.
      if mailbox.mayLeave { isDone = true } else { try send(.line(Array(":quit".utf8)), nil) }
    case .unanswered: try ask(.line)
    case .closed: isDone = true
    case .nothing: break
    }
  }

  private func ask(_ next: TerminalStage) throws(InputOutputError) {
    surface.stage = next
    try surface.ask(remark: history.takeFailure())
  }

  /// Abandons the line that is being typed or carried out, and an unfinished text.
  private func cancel() throws(InputOutputError) {
    let message = interruptHang()
    guard hasBegun else {
      if let message { try surface.report(message) }
      return
    }
    work?.cancel()
    let app = app
    // Enqueued on the app's thread at once, as lines are: after those before it, before later ones.
    Task.immediate {
      await app.converse { conversation, app in
        conversation.session.cancelText()
        app.keeper.session?.update { $0.textOpening = nil }
      }
    }
    try surface.cancel(telling: message)
    try ask(.line)
  }

  /// Handles Ctrl-C if the app hangs: pressed twice during the same piece of work, it restores the
  /// app without that work.
  ///
  /// Returns the message to show; `nil` if it does not hang, or no supervisor could restore it.
  private func interruptHang() -> String? {
    let former = interruptedHang
    interruptedHang = app.watch.hang
    guard let hang = interruptedHang else { return nil }
    guard former == hang else { return "Ctrl-C again restores the app without what it is doing." }
    app.watch.end(hang: hang)
    return "restoring the app …"
  }

  private func send(
    _ event: LineReader.Event, _ seenScreen: Int?
  ) throws(InputOutputError) {
    lineCount += 1
    var prompt: Prompt?
    if case .answer(let asked) = surface.stage { prompt = asked }
    if case .line = surface.stage, case .line(let bytes) = event,
      case let line = String(decoding: bytes, as: UTF8.self),
      case .command(let command) = try? LineParser(supported: options.commands).parse(line),
      command.isOfTerminal
    {
      return try carryOut(command, line)
    }
    surface.stage = .app
    mailbox.seenEventCount = surface.seenEventCount
    let (mailbox, number, count) = (mailbox, lineCount, surface.seenEventCount)
    let app = app
    work = Task.immediate { [prompt] in
      let reply = await app.converse {
        await $0.submit(
          event, answering: prompt, seenScreen: seenScreen, noticesAfter: count, in: $1)
      }
      mailbox.post(.reply(number, reply))
    }
  }

  /// Has the app handle keys, and draw what is to be seen then.
  private func press(_ keys: [SeenKey]) {
    lineCount += 1
    surface.stage = .app
    let (app, mailbox, number, lines) = (app, mailbox, lineCount, history.lines)
    work = Task.immediate {
      let reply = await app.converse { await $0.press(keys, history: lines, in: $1) }
      mailbox.post(.reply(number, reply))
    }
  }

  /// Shows screens full screen or as lines from now on.
  private func show(fullScreen: Bool) throws(InputOutputError) {
    guard fullScreen != (surface.pictureSize != nil) else { return try ask(.line) }
    if fullScreen, let obstacle = options.isPlain ? obstacle : FullScreenSurface.obstacle {
      try surface.print(["Not full screen: \(obstacle)."])
      return try ask(.line)
    }
    try surface.leave()
    // They refer to the first screen of the next surface.
    let keys = surface.removeKeys().map { ($0.key, 0) }
    surface.close()
    if fullScreen {
      // The line that was typed last is not half-typed.
      session?.update { $0.type("", cursor: 0, isPrivate: false) }
      surface = FullScreenSurface(events, mailbox)
    } else {
      surface = EditedSurface(
        events, mailbox, session, history, offersFormerLine: !hasOfferedFormerLine)
      hasOfferedFormerLine = true
    }
    try surface.open(greeting: nil)
    surface.stage = .app
    surface.type(keys)
    mailbox.show(fullScreen: surface.pictureSize, isFirst: true)
  }

  /// Carries out one of ``Conversation/terminalCommands``, which the app knows nothing of.
  private func carryOut(_ command: Command, _ line: String) throws(InputOutputError) {
    // The numbers of ':again' are those of the last list.
    if case .history = command { _ = history.refresh() }
    // Notices that the user has seen go from a screen that is updated in place.
    mailbox.seenEventCount = surface.seenEventCount
    if surface.updatesInPlace { mailbox.postFrame() }
    switch command {
    case .fullScreen, .lines:
      history.add(line)
      return try show(fullScreen: command == .fullScreen)
    case .history(let text):
      try surface.print(history.listing(holding: text))
      history.add(line)
    case .again(let number):
      let (earlier, reason) = history.repeatedLine(number)
      if let earlier {
        try surface.echo(earlier)
        return try send(.line(Array(earlier.utf8)), surface.screenNumber)
      }
      try surface.print([reason])
    default: break
    }
    try ask(.line)
  }

  private func receive(_ message: Mailbox.Message) throws(InputOutputError) {
    guard message.frame?.isAfterQuitting != true else {
      isDone = true
      return
    }
    switch message {
    case .first(let frame, let told): try begin(frame, telling: told)
    case .switched(let frame):
      try surface.show(first: frame, telling: nil)
      try ask(.line)
    case .frame(let frame): try surface.update(frame)
    case .settled(let number, let frame):
      if surface.updatesInPlace || number == lineCount { try surface.update(frame) }
    case .compiling(let plugin):
      try surface.show(status: plugin.map { "compiling '\(SafeText.line($0))' …" })
    case .report(let line): try surface.report(line)
    case .completions(let list): surface.receive(list)
    case .reply(let number, let reply):
      // Also for a line whose reply is no longer awaited: the user may want to repeat it.
      if let line = reply.remembered {
        history.add(line)
        surface.rememberHistory()
      }
      guard number == lineCount, surface.stage.isApp else {
        if surface.updatesInPlace { try surface.update(reply.frame) }
        return
      }
      try answer(reply)
    }
  }

  /// Shows the first screen, and asks for the first line.
  private func begin(_ frame: TerminalFrame, telling told: String?) throws(InputOutputError) {
    hasBegun = true
    if wasRestored {
      if let line = session?.former.sentLine { history.add(line) }
      session?.update { $0.sentLine = nil }
    }
    try surface.show(first: frame, telling: told.map { "! " + $0 })
    if surface.updatesInPlace { follower = Task { [mailbox] in await mailbox.follow() } }
    try ask(.line)
    if !frame.isSettled { watchWork() }
  }

  private func answer(_ reply: TerminalReply) throws(InputOutputError) {
    if case .quit = reply.reply.outcome {
      isDone = true
      return
    }
    try surface.show(reply)
    if let (command, line) = reply.command {
      surface.type(reply.rest)
      // It may repeat a line that is a command of terminals, too.
      surface.stage = .line
      return try carryOut(command, line)
    }
    switch reply.reply.outcome {
    case .needsMoreLines: try ask(.text)
    case .prompt(let prompt): try ask(.answer(prompt))
    default: try ask(.line)
    }
    if reply.showsScreen, !reply.frame.isSettled { watchWork() }
  }

  /// Shows the screen again when it has settled: effects may end without an action.
  private func watchWork() {
    let (app, mailbox, number) = (app, mailbox, lineCount)
    mailbox.marksWork = true
    Task {
      _ = await app.settle(within: .seconds(3600))
      mailbox.marksWork = false
      mailbox.post(.settled(number, await mailbox.renderFrame()))
    }
  }
}
