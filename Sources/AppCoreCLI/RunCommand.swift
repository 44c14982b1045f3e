internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Conversation
internal import CrashReporting
internal import Glibc
internal import Shell
internal import Support
internal import Synchronization

/// `appcore run`: runs an app; a terminal is asked for lines, a pipe is a script.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs an app: on a terminal by typing, from a pipe as a script.",
    usage: "appcore run <manifest> [<option> ...]",
    discussion: """
      Examples:
        appcore run app.yaml
        appcore run app.yaml --script smoke.script
        appcore run app.yaml -c '@name Ada' -c ':expect Hello, Ada!'
      """)

  @OptionGroup var options: ManifestOptions

  @Option(
    name: .customLong("script"),
    help: ArgumentHelp(
      "A file with the lines, instead of standard input; '-' is that.", valueName: "file"))
  var script: String?

  @Option(
    name: [.customShort("c"), .customLong("lines")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The lines themselves; may be given again.", valueName: "lines"))
  var lines: [String] = []

  @Flag(help: "One JSON object for each screen, for programs.")
  var json = false

  @Flag(help: "With --json: also each change by effects alone.")
  var live = false

  @Option(
    name: .customLong("open"),
    help: ArgumentHelp(
      "A link of the manifest, or a position, to begin with.", valueName: "link"))
  var link: String?

  @Flag(
    name: .customLong("no-history"),
    help: "Keep no history of what is typed; as APPCORE_HISTORY=off.")
  var keepsNoHistory = false

  @Flag(help: "Linear text, for screen readers; as APPCORE_PLAIN=1.")
  var plain = false

  @Flag(
    help: ArgumentHelp(
      "Load plugins again when their files change, or the sources of those given by a folder."))
  var watch = false

  @Option(
    name: .customLong("watchdog"),
    help: ArgumentHelp(
      "Tell on standard error when a feature keeps the app busy for so long; 0 never does.",
      valueName: "seconds"))
  var watchdog: Double = 5

  @Flag(help: "Tell on standard error what is loaded and what happens.")
  var verbose = false

  func validate() throws {
    _ = try options.appOptions()
    guard (0...86_400).contains(watchdog) else {
      throw ValidationError("'--watchdog' takes seconds from 0 to 86400.")
    }
    if live, !json { throw ValidationError("'--live' goes with '--json'.") }
    if script != nil, !lines.isEmpty {
      throw ValidationError("'--script' and '-c' both say where the lines come from; use one.")
    }
  }

  func run() throws {
    Logs.start(isVerbose: verbose)
    FaultNaming.install()
    // Opened first: an app that does something as it starts is not begun for nothing.
    let source = try ScriptSource(file: script, lines: lines)
    let app = try begin()
    let status: Int32
    do throws(InputOutputError) {
      status = try converse(app, source)
    } catch {
      throw ExitCode(Console.status(of: error))
    }
    if status != 0 { throw ExitCode(status) }
  }

  /// Loads the app and shows its first node.
  private func begin() throws -> App {
    do {
      let app = App(try LoadedApp.load(options.manifest, options: options.appOptions()))
      if !app.loaded.remarks.isEmpty { Console.printError(String(app.loaded.remarks.dropLast())) }
      Logs.follow(app)
      app.watchForBlocking(after: blockingLimit) { Console.printError("appcore: " + $0) }
      let failure = waitFor { () -> AppLoadError? in
        do throws(AppLoadError) {
          try await app.begin()
          return nil
        } catch {
          return error
        }
      }
      if let failure { throw failure }
      try openLink(in: app)
      return app
    } catch let error as AppLoadError {
      Console.printError("\(error)")
      throw ExitCode(error.exitStatus)
    }
  }

  /// Opens the link that the command line names; one that waits for something is told of.
  private func openLink(in app: App) throws {
    guard let link else { return }
    switch waitFor({ await app.open(link) }) {
    case .opened: break
    case .waiting(let node):
      Console.printError("appcore: '\(link)' opens as soon as '\(node)' is there")
    case .refused(let code, let reason):
      Console.printError("appcore: can't open '\(link)': \(reason) [\(code)]")
      throw ExitCode(65)
    }
  }

  private func converse(_ app: App, _ source: ScriptSource) throws(InputOutputError) -> Int32 {
    let facts = TerminalFacts(descriptor: STDOUT_FILENO)
    let isInteractive =
      source == .input && isatty(STDIN_FILENO) == 1 && facts.isTerminal && !json
    var settings = SessionSettings(
      format: json ? .json : .text(plain ? .linear : facts.style), isInteractive: isInteractive,
      width: facts.width)
    if isInteractive { settings.windowRows = facts.height }
    settings.tellsCauses = live
    settings.scriptName = source.name
    settings.errorStyle =
      plain ? .linear : TerminalFacts(descriptor: STDERR_FILENO).style
    let chosen = settings
    waitFor { await app.converse(chosen) }
    // What is due is saved, and what features do on being cancelled is done, before the end.
    let ending = EndingSignals.onEnd { _ in
      Self.end(app)
    }
    defer { ending.cancel() }
    let status =
      isInteractive
      ? try TerminalRunner(app, options: terminalOptions).run()
      : try ScriptRunner(app, isJSON: json, followsPlugins: watch, isLive: live).run(
        source.reader())
    Self.end(app)
    return status
  }

  /// Gives the features time to save what is due, and effects to end.
  private static func end(_ app: App) {
    // A signal may come while somebody leaves already: what is waited for is told once.
    let isFirst = !isLeaving.exchange(true, ordering: .relaxed)
    app.leave(within: .seconds(5)) { if isFirst { Console.printError("appcore: " + $0) } }
  }

  private static let isLeaving = Atomic<Bool>(false)

  /// After how long a feature that keeps the app busy is told of.
  private var blockingLimit: Duration? {
    watchdog > 0 ? .milliseconds(Int(watchdog * 1000)) : nil
  }

  private var terminalOptions: TerminalRunner.Options {
    var options = TerminalRunner.Options(isPlain: plain ? true : nil)
    if keepsNoHistory { options.historyPath = nil }
    options.followsPlugins = watch
    options.watchdog = blockingLimit
    return options
  }
}
