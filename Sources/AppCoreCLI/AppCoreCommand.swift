internal import AppCore
internal import AppCoreHost
internal import ArgumentParser
internal import Sessions
internal import Shell
internal import Supervision
internal import Support

/// The program as a whole, for the target that is only its entry point.
public enum CommandLineProgram {
  /// Carries out the command line of the process, and ends it.
  public static func main() { AppCoreCommand.main() }
}

/// The root command, `appcore`.
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
      InspectCommand.self,
      InterfaceCommand.self, SchemaCommand.self, NewCommand.self, BuildCommand.self,
      BundleCommand.self, PlanCommand.self, TestCommand.self, LockCommand.self, SignCommand.self,
      PluginCommand.self, ExplainCommand.self,
      ScanCommand.self, RestoreCommand.self, StampCommand.self, CompleteCommand.self,
      ManualCommand.self,
    ],
    helpNames: [.short, .long])

  static func main() {
    Console.fillClosedStreams()
    ProcessSignals.ignoreFailedWrites()
    if let report = VersionReport.text(for: CommandLine.arguments.dropFirst()) {
      Console.print(report, terminator: "", as: .json)
      return
    }
    do {
      try checkCommand()
      var command = try parseAsRoot()
      // The supervisor forks, so it has to start before any other thread exists.
      if let run = command as? RunCommand {
        try run.openProfile()
        if run.isSupervised {
          Supervisor.start(
            limits: run.limits, runsScript: !run.isOnTerminal,
            willEnd: { ProfileOutput.current?.writeRest() })
        }
      }
      EndingSignals.install()
      EndingSignals.setTerminalRestorer(TerminalRunner.restoreTerminal)
      try command.run()
      ProcessExit.exit(0)
    } catch {
      end(error)
    }
  }

  /// Prints the error and ends the process with its exit status.
  ///
  /// argument-parser reports a request for help or the version as an error with status 0.
  private static func end(_ error: any Error) -> Never {
    let status = exitCode(for: error)
    let text = singleLined(fullMessage(for: error))
    if !text.isEmpty {
      if status == .success { Console.print(text) } else { Console.printError(text) }
    }
    ProcessExit.exit(status.rawValue)
  }

  /// Escapes the command-line arguments that a message quotes, so that they can't add lines.
  private static func singleLined(_ text: String) -> String {
    CommandLine.arguments.dropFirst().flatMap { [$0] + $0.split(separator: "=").map(String.init) }
      .filter(SafeText.needsCleaning)
      .reduce(text) { text, word in text.replacing(word, with: SafeText.line(word)) }
  }

  /// Throws a usage error for an unknown subcommand, with the nearest name as a suggestion.
  private static func checkCommand() throws {
    try checkCommand(CommandLine.arguments.dropFirst(), below: configuration, lead: "")
  }

  private static func checkCommand(
    _ words: ArraySlice<String>, below configuration: CommandConfiguration, lead: String
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
      Nearest.of(word, in: visible).map { "did you mean '\(lead)\($0)'?" }
      ?? "there are \(visible.joined(separator: ", "))"
    throw ValidationError("There is no command '\(SafeText.line(lead + word))'; \(remedy)")
  }
}
