internal import AppCheck
@_spi(Host) internal import AppCore
internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import Sessions
internal import Shell
internal import Supervision
internal import Support

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run an app: interactively on a terminal, as a script from a pipe.",
    usage: "appcore run [<manifest>] [<option> ...]",
    discussion: """
      Examples:
        appcore run app.yaml -c '@name Ada' -c ':expect Hello, Ada!'
      """)

  @OptionGroup var app: AppArgument

  @OptionGroup var input: LineOptions

  @Flag(help: "Print one JSON object per screen, for programs.")
  var json = false

  @Flag(help: "With --json: also print changes made by effects.")
  var live = false

  @Option(
    name: .customLong("open"),
    help: ArgumentHelp(
      "Start at a link of the manifest or at a position.", valueName: "link"),
    // Up to the first parameter, whose value the person has to type.
    completion: .names { $0.links.map { String($0.name.prefix { $0 != "{" }) } })
  var link: String?

  @Flag(
    name: .customLong("no-history"),
    help: "Keep no history; same as APPCORE_HISTORY=off.")
  var keepsNoHistory = false

  @Flag(help: "Print for screen readers; same as APPCORE_PLAIN=1.")
  var plain = false

  @Flag(
    name: .customLong("full-screen"),
    help: "Show the app full screen; same as ':full-screen'.")
  var isFullScreen = false

  // Hidden, as is '--screenshot': the help has to fit a screen.
  @Flag(name: .customLong("no-full-screen"), help: .hidden)
  var isShownAsLines = false

  @Flag(help: "Reload the manifest and plugins when they change.")
  var watch = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Report on standard error when a feature keeps the app busy for this long; 0 disables it.",
      valueName: "seconds"))
  var watchdog: Double = 5

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End the process if a feature blocks it this long.", valueName: "seconds"))
  var hangLimit: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Limit the app's memory to a size such as 200M or 1G.", valueName: "size"),
    transform: AppCoreCLI.memoryLimit)
  var memoryLimit: Int?

  @OptionGroup var socket: SocketOptions

  @Flag(
    name: .customLong("supervise"), help: "Survive crashes in scripts and with --json, too.")
  var isAskedToSupervise = false

  @Flag(
    name: .customLong("no-supervise"),
    help: "Exit when a plugin crashes, even on a terminal.")
  var isUnsupervised = false

  @Option(
    name: .customLong("session"),
    help: ArgumentHelp("Keep the app's state in a file, to resume it.", valueName: "file"),
    completion: .file())
  var sessionFile: String?

  @Flag(name: .customLong("resume"), help: "Resume the kept session without asking.")
  var resumes = false

  @Option(
    name: .customLong("record"),
    help: ArgumentHelp(
      "Write a recording of all steps, for 'appcore replay'.", valueName: "file"),
    completion: .file())
  var recordFile: String?

  @Option(name: .customLong("screenshot"), help: .hidden)
  var screenshotFile: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Memory for ':rewind', 16M unless given; 0 disables it.", valueName: "size"),
    transform: AppCoreCLI.historyLimit)
  var historyLimit: Int?

  @Option(
    name: .customLong("profile"),
    help: ArgumentHelp(
      "Write a profile of all actions, for speedscope.", valueName: "file"),
    completion: .file())
  var profileFile: String?

  @Flag(help: "Log loading and actions to standard error.")
  var verbose = false

  @Option(help: .hidden)
  var logFormat = "text"

  @Option(help: .hidden)
  var logLevel: String?

  mutating func validate() throws {
    guard (0...86_400).contains(watchdog) else {
      throw ValidationError("'--watchdog' takes seconds from 0 to 86400.")
    }
    if let hangLimit, !(0.1...86_400).contains(hangLimit) {
      throw ValidationError("'--hang-limit' takes seconds from 0.1 to 86400.")
    }
    if isAskedToSupervise, isUnsupervised {
      throw ValidationError("'--supervise' and '--no-supervise' contradict each other; use one.")
    }
    if socket.path != nil, isUnsupervised {
      throw ValidationError(
        "'--socket' is held by the process that survives crashes: omit '--no-supervise'.")
    }
    if memoryLimit != nil, !isSupervised {
      throw ValidationError(
        "'--memory-limit' works where crashes are survived: on a terminal, or with '--supervise'.")
    }
    try checkPath(sessionFile, of: "--session")
    try checkPath(profileFile, of: "--profile")
    try checkPath(recordFile, of: "--record")
    try checkPath(screenshotFile, of: "--screenshot")
    if let screenshotFile {
      guard input.script == nil else {
        throw ValidationError("'--screenshot' goes with '-c'; a script writes ':screenshot FILE'.")
      }
      input.lines.append(":screenshot \(screenshotFile)")
    }
    if isFullScreen, isShownAsLines {
      throw ValidationError(
        "'--full-screen' and '--no-full-screen' contradict each other; use one.")
    }
    guard ["text", "json"].contains(logFormat) else {
      throw ValidationError("'--log-format' takes 'text' or 'json'.")
    }
    if let logLevel, ErrorLog.Level(name: logLevel) == nil {
      throw ValidationError("'--log-level' takes 'error', 'warning', 'info' or 'debug'.")
    }
    if live, !json { throw ValidationError("'--live' goes with '--json'.") }
  }

  /// Whether the app runs in a worker process, which the supervisor replaces after a crash.
  var isSupervised: Bool {
    !isUnsupervised && (isAskedToSupervise || isOnTerminal || socket.path != nil)
  }

  /// Whether lines are typed at a terminal, with the screens printed on it.
  var isOnTerminal: Bool {
    input.isEmpty && !json && isatty(STDIN_FILENO) == 1
      && isatty(STDOUT_FILENO) == 1
  }

  /// The time after which an app that doesn't respond is ended; `nil` if not limited.
  var hangDuration: Duration? { hangLimit.map { .milliseconds(Int($0 * 1000)) } }

  /// Decides how standard error is written; called before there is a second thread.
  func beginLog() {
    ErrorLog.begin(
      isJSON: logFormat == "json", limit: logLimit,
      journalStream: ProcessVariables.value("JOURNAL_STREAM"))
  }

  private var logLimit: ErrorLog.Level {
    logLevel.flatMap(ErrorLog.Level.init(name:)) ?? (verbose ? .debug : .warning)
  }

  func run() throws {
    Logs.start(logLimit)
    ErrorOutput.handOver(to: Logs.writeReport)
    StartGuard.begin()
    FaultNaming.install()
    PluginOutput.collect(Console.report)
    ProcessExit.install()
    watchDescriptors()
    // Opened first, so that an app doesn't start if its script can't be read.
    let source = try ScriptSource(input)
    let profiler = ProfileOutput.current?.begin()
    // It keeps the folder of an unpacked archive until the app has ended.
    let appSource = try AppSource(named: self.app.manifest)
    defer { withExtendedLifetime(appSource) {} }
    let loaded = try load(appSource, wasRestored: Worker.current?.ends.isEmpty == false)
    ErrorLog.app = loaded.name
    let isInteractive = source.isInteractive && !json
    let session = try openSession(loaded, isInteractive: isInteractive)
    // Last, so that an app that can't run does not empty the file of its recording.
    let timeline = try timelineOptions(loaded, source)
    let app = App(loaded, profiler: profiler, timeline: timeline)
    let ending = AppEnding(app, Console.report)
    // Runs when a signal, a call of `exit` or a hang ends the process.
    let registration = EndingSignals.onEnd { reason in
      defer { if case .quit = reason { session?.file?.remove() } else { session?.file?.flush() } }
      let status: Int32? =
        switch reason {
        case .signal, .quit: Self.end(ending, waitsForHangs: false)
        case .exit(onAppThread: false): Self.end(ending, isHasty: true)
        // The app's thread doesn't return, so the app can't be asked to end.
        case .exit(onAppThread: true), .blocked: nil
        }
      let profileStatus = ProfileOutput.current?.write(profiler)
      return status ?? profileStatus
    }
    defer { registration.cancel() }
    var status: Int32
    do {
      try begin(app, session, isInteractive: isInteractive)
      StartGuard.end()
      ServiceManager.tellReady()
      status = try converse(app, session, source)
    } catch {
      status = AppCoreCommand.report(error)
    }
    status = Self.end(ending) ?? status
    status = ProfileOutput.current?.write(profiler) ?? status
    PluginOutput.drain()
    EndingSignals.giveWay()
    // If the terminal hung up, nobody has quit the app, so its session is kept.
    let isLeft = !isInteractive || isatty(STDIN_FILENO) == 1
    if isLeft, [0, 65].contains(status) { session?.file?.remove() } else { session?.file?.flush() }
    if status != 0 { throw ExitCode(status) }
  }

  /// Ends the app.
  ///
  /// - Returns: 74, the exit status, if something was not saved or may not have been; else `nil`.
  private static func end(
    _ ending: AppEnding, isHasty: Bool = false, waitsForHangs: Bool = true
  ) -> Int32? {
    ServiceManager.tellStopping()
    return ending.end(isHasty: isHasty, waitsForHangs: waitsForHangs) ? 74 : nil
  }

  /// Ends the process because the app does not respond.
  @Sendable private static func endHang(_ culprit: String) {
    EndingSignals.end(for: .blocked) { _ in
      Console.report("ended by " + culprit)
      return 70
    }
  }

  /// Begins to watch the descriptors that plugins must not close; none is loaded yet.
  private func watchDescriptors() {
    guard Worker.current != nil || isatty(StandardOutput.descriptor) == 1 else { return }
    OwnDescriptors.watch(Worker.current?.descriptors ?? [], "image")
    if isatty(StandardOutput.descriptor) == 1, isatty(STDIN_FILENO) == 1 {
      OwnDescriptors.watch([STDIN_FILENO, StandardOutput.descriptor], "terminal")
    }
    OwnDescriptors.watch([STDOUT_FILENO], "standard output", mayBeRedirected: true)
    OwnDescriptors.watch([STDERR_FILENO], "standard error", mayBeRedirected: true)
    // The first timers of each clock open them.
    let timers = OwnDescriptors.timersOpened {
      waitFor {
        async let continuous: Void? = try? Task.sleep(for: .nanoseconds(1), clock: .continuous)
        async let suspending: Void? = try? Task.sleep(for: .nanoseconds(1), clock: .suspending)
        _ = await (continuous, suspending)
      }
    }
    OwnDescriptors.watch(timers, "timer")
  }

  /// Reads the manifest and loads the plugins; prints warnings and notes.
  ///
  /// If the app continues after a crash, the first worker process has printed them already.
  private func load(_ source: AppSource, wasRestored: Bool) throws -> LoadedApp {
    let options = source.options((try? app.reading.appOptions()) ?? AppOptions())
    do throws(AppLoadError) {
      let app = try LoadedApp.load(source.manifest, options: options)
      if !wasRestored, !app.remarks.isEmpty {
        Console.printError(String(app.remarks.dropLast()), .warning)
      }
      return app
    } catch {
      Console.printError("\(error)")
      if wasRestored { keepImage(manifest: source.manifest) }
      throw ExitCode(error.exitStatus)
    }
  }

  /// Starts the app: restores its session, or shows the start node or the link of `--open`.
  private func begin(_ app: App, _ session: AppSession?, isInteractive: Bool) throws {
    if let session { try checkCrashes(session, app) }
    Logs.follow(app)
    app.watchForBlocking(
      after: blockingLimit, endsAfter: hangDuration ?? (isInteractive ? nil : endingLimit),
      Console.report, end: Self.endHang)
    try waitForResult { () async throws(AppLoadError) in try await app.begin(session) }
    // A restored app keeps its position.
    if session?.image == nil { try openLink(in: app) }
  }

  /// Gives up on an app that crashes repeatedly for an unknown reason.
  ///
  /// - Throws: ``CommandError`` with exit status 70.
  private func checkCrashes(_ session: AppSession, _ app: App) throws {
    let path = Self.sessionPath(ofApp: app.loaded.name, manifest: app.loaded.path)
    guard let last = session.givesUp(app.loaded, savingTo: path) else { return }
    throw CommandError(last, exitStatus: 70)
  }

  /// Opens the link of `--open`; prints a message if it has to wait for a node.
  ///
  /// - Throws: ``CommandError`` with exit status 65 if the link can't be opened.
  private func openLink(in app: App) throws {
    guard let link else { return }
    switch waitFor({ await app.open(link) }) {
    case .opened: break
    case .waiting(let node):
      Console.report("'\(SafeText.line(link))' opens as soon as '\(node)' is there")
    case .refused(let refusal):
      throw CommandError(
        "can't open '\(link)': \(refusal.message) [\(refusal.code)]", exitStatus: 65)
    }
  }

  private func converse(
    _ app: App, _ session: AppSession?, _ source: ScriptSource
  ) throws(InputOutputError) -> Int32 {
    let settings = settings(app, source)
    waitFor { await app.converse(settings) }
    if live, source == .input { ScriptSource.keepInputOpen() }
    let link = Worker.current?.socket
    link.map(app.serve)
    // The conversation may be waiting for a line that nobody types.
    if live || link != nil { waitFor { await app.onQuit(EndingSignals.quit) } }
    let spool = source.isRepeatable ? nil : session?.worker?.input
    return settings.isInteractive
      ? try TerminalRunner(app, session, options: terminalOptions(app)).run()
      : try ScriptRunner(
        app, session, spool: spool, isJSON: json, followsPlugins: watch, isLive: live
      ).run(source.reader(spool))
  }

  private func settings(_ app: App, _ source: ScriptSource) -> SessionSettings {
    var settings = SessionSettings(source, isJSON: json, isPlain: plain, includesCauses: live)
    // The lines of '-c' and '--script' are those of whoever starts the app.
    if source == .input { settings.commands = app.loaded.commands }
    return settings
  }

  /// The time after which a feature that keeps the app busy is reported; `nil` for never.
  private var blockingLimit: Duration? {
    watchdog > 0 ? .milliseconds(Int(watchdog * 1000)) : nil
  }

  /// The time after which a script is ended because a feature keeps the app busy.
  ///
  /// On a terminal the person decides; a script has nobody who would end it.
  private var endingLimit: Duration? { blockingLimit.map { $0 * 20 } }

  private func terminalOptions(_ app: App) -> TerminalRunner.Options {
    var options = TerminalRunner.Options(isPlain: plain ? true : nil)
    options.commands = app.loaded.commands
    // Where people come and go, nobody sees what another one has typed.
    if keepsNoHistory || !options.commands.contains(.history) { options.historyPath = nil }
    options.isFullScreen = isFullScreen || app.loaded.isFullScreen && !isShownAsLines
    options.followsPlugins = watch
    options.watchdog = blockingLimit
    options.hangLimit = hangDuration
    options.endHang = Self.endHang
    return options
  }
}
