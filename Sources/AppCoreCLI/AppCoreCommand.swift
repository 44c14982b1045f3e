internal import AppCore
internal import ArgumentParser

/// The command line: arguments in, exit status out.
@main
struct AppCoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "appcore",
    abstract: "Runs apps made of features in shared libraries, wired by a YAML manifest.",
    discussion: """
      Examples:
        appcore run manifests/packages.yaml
        appcore check manifests/packages.yaml
        printf '@filter libc6\\n:path\\n' | appcore run manifests/packages.yaml
        appcore run manifests/packages.yaml --json
      """,
    version: "appcore \(SDK.version) (\(SDK.contractSymbol))",
    subcommands: [RunCommand.self, CheckCommand.self, ScanCommand.self],
    helpNames: [.short, .long])
}
