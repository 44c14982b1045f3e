internal import AppCheck
internal import AppCore
internal import AppCoreHost
internal import ArgumentParser
internal import PluginHost
internal import Sessions
internal import Shell
internal import Supervision
internal import Support

/// Carries out the command line of the process, and ends it.
public func runCommandLine() { AppCoreCommand.main() }

struct AppCoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "appcore",
    abstract: "Run apps made of features in shared libraries, wired by a YAML manifest.",
    discussion: """
      Examples:
        appcore run app.yaml
        appcore check app.yaml
        appcore run app.yaml -c '@name Ada' -c ':path'
        appcore run app.yaml --json < lines
      """,
    version: """
      appcore \(SDK.version)
      Swift \(SDK.compilerVersion)
      \(SDK.contractSymbol)
      """,
    subcommands: [
      RunCommand.self, ReplayCommand.self, CheckCommand.self, GraphCommand.self,
      InspectCommand.self, InterfaceCommand.self, SchemaCommand.self, NewCommand.self,
      BuildCommand.self, BundleCommand.self, PlanCommand.self, TestCommand.self, LockCommand.self,
      SignCommand.self, VerifyCommand.self, PluginCommand.self, AttachCommand.self,
      StatusCommand.self, CrashesCommand.self, ExplainCommand.self,
      ScanCommand.self, RestoreCommand.self, StampCommand.self,
    ],
    helpNames: [.short, .long])

  static func main() {
    StartGuard.fitHeap()
    Console.fillClosedStreams()
    ProcessSignals.ignoreFailedWrites()
    if let report = versionReport(for: CommandLine.arguments.dropFirst()) {
      Console.print(report, terminator: "", as: .json)
      return
    }
    do {
      try checkCommand()
      var command = try parsed(CommandLine.arguments.dropFirst())
      // The supervisor forks, so it has to start before any other thread exists.
      if let run = command as? RunCommand {
        run.beginLog()
        // Before anything else: another program may take the place of this one.
        try run.handOver()
        ServiceManager.begin(ProcessVariables.value)
        if let file = run.profileFile {
          try ProfileOutput.open(file, title: run.app.manifest ?? ".")
        }
        CrashFolder.current = CrashFolder(ProcessVariables.value)
        if run.isSupervised {
          try ScriptSource.hold(run.input)
          Supervisor.start(
            limits: WorkerLimits(hang: run.hangDuration, memory: run.memoryLimit),
            runsScript: !run.isOnTerminal, socket: try run.socket.open(),
            willEnd: { ProfileOutput.current?.writeRest() })
        }
        CrashFolder.begin()
      }
      ThreadNumbers.areTold = true
      EndingSignals.install()
      EndingSignals.setTerminalRestorer(TerminalRunner.restoreTerminal)
      try command.run()
      ProcessExit.exit(0)
    } catch {
      ProcessExit.exit(report(error))
    }
  }

  /// Parses the command line, first as that of the one command that it names: building the options
  /// of all commands takes a twentieth of a start.
  ///
  /// What this command can't parse, such as a request for help, is left to all of them, whose
  /// messages name the whole command.
  private static func parsed(_ words: ArraySlice<String>) throws -> any ParsableCommand {
    let command = configuration.subcommands.first { $0.configuration.commandName == words.first }
    if let command, let parsed = try? command.parseAsRoot(Array(words.dropFirst())),
      type(of: parsed) == command
    {
      return parsed
    }
    return try parseAsRoot()
  }

  /// What `appcore --version --json` prints: the versions of appcore, its plugin contract and its
  /// formats; `nil` unless the arguments are exactly these.
  private static func versionReport(for arguments: some Collection<String>) -> String? {
    guard arguments.count == 2, Set(arguments) == ["--version", "--json"] else { return nil }
    let tree: JSONTree = [
      "name": "appcore", "version": .string(SDK.version),
      "contract": [
        "symbol": .string(SDK.contractSymbol), "epoch": .int(SDK.epoch),
        "compiler": .string(SDK.compilerVersion),
      ],
      "sdk": .string(SDK.version),
      "architecture": .string(AppLock.Target.current.architecture),
      "formats": [
        "manifest": 1, "lock": .int(AppLock.format),
        "session": .int(Int(ImageFrame.version)), "interface": .int(PluginInterface.format),
        "recording": .int(RecordingHeader.currentFormat), "screen": .int(JSONFrame.version),
      ],
    ]
    return tree.text
  }

  /// Prints an error, and returns the exit status for it.
  ///
  /// argument-parser reports a request for help or the version as an error with status 0.
  static func report(_ error: any Error) -> Int32 {
    switch error {
    case let error as any CommandFailure:
      // A signal that ends the process removes temporary files, which may have caused this error.
      EndingSignals.giveWay()
      Console.printError(error.description)
      return error.exitStatus
    case let error as InputOutputError: return Console.status(of: error)
    case let status as ExitCode: return status.rawValue
    default:
      let status = exitCode(for: error)
      let text = singleLined(forAllFish(fullMessage(for: error)))
      if !text.isEmpty {
        if status == .success { Console.print(text) } else { Console.printError(text) }
      }
      return status.rawValue
    }
  }

  /// A text in which the completion script of fish relies on nothing that only some fish have.
  ///
  /// The generated script asks `commandline -C` for the cursor's position, which fish 3 answers only
  /// at a prompt, and not for `complete -C` in a script; and `string split` has `-f` since fish 3.2.
  private static func forAllFish(_ text: String) -> String {
    text.replacing("(__appcore_tokens -tC)", with: "(string length -- (commandline -ct))")
      .replacing(
        "(string split -m 1 -f 1 -- . \"$FISH_VERSION\")",
        with: "(string split -m 1 -- . \"$FISH_VERSION\")[1]")
  }

  /// Escapes the command-line arguments that a message quotes, so that they can't add lines.
  private static func singleLined(_ text: String) -> String {
    CommandLine.arguments.dropFirst().flatMap { [$0] + $0.split(separator: "=").map(String.init) }
      .filter { SafeText.needsCleaning($0) }
      .reduce(text) { text, word in text.replacing(word, with: SafeText.line(word)) }
  }

  /// Throws a usage error for an unknown subcommand, with the nearest name as a suggestion.
  private static func checkCommand(
    _ words: ArraySlice<String> = CommandLine.arguments.dropFirst(),
    below configuration: CommandConfiguration = configuration, lead: String = ""
  ) throws {
    guard let word = words.first, !word.hasPrefix("-"), !configuration.subcommands.isEmpty else {
      return
    }
    if let command = configuration.subcommands.first(where: {
      $0.configuration.commandName == word
    }) {
      let name = lead + word + " "
      return try checkCommand(words.dropFirst(), below: command.configuration, lead: name)
    }
    guard !lead.isEmpty || word != "help" else { return }
    let visible = configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .compactMap { $0.configuration.commandName }
    let remedy =
      NearestName.meant(by: word, among: visible).map { "did you mean '\(lead)\($0)'?" }
      ?? "there are \(visible.joined(separator: ", "))"
    throw ValidationError("There is no command '\(SafeText.line(lead + word))'; \(remedy)")
  }
}

/// An error that ends a command: its description is printed on standard error.
protocol CommandFailure: Error, CustomStringConvertible {
  var exitStatus: Int32 { get }
}

extension AppLoadError: CommandFailure {}
extension InterfaceError: CommandFailure {}
extension LockError: CommandFailure {}
extension PluginFolderError: CommandFailure {}
extension PluginError: CommandFailure { var exitStatus: Int32 { 69 } }
extension RecordingProblem: CommandFailure {
  /// 66 if the file can't be opened, 65 if its content is faulty.
  var exitStatus: Int32 { cause.rule == .unreadableRecording ? 66 : 65 }
}

/// A message that ends a command.
struct CommandError: CommandFailure {
  let message: String
  let exitStatus: Int32

  init(_ message: String, exitStatus: Int32 = 64) {
    (self.message, self.exitStatus) = (message, exitStatus)
  }

  var description: String { SafeText.line("appcore: " + message) }
}

/// Blocks the calling thread until asynchronous work has finished, and returns its result.
func waitForResult<Success: Sendable, Failure: Error>(
  _ operation: @escaping @Sendable () async throws(Failure) -> Success
) throws(Failure) -> Success {
  try waitFor { () async -> Result<Success, Failure> in
    do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
  }.get()
}
