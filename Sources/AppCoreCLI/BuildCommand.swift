internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import PluginHost
internal import Shell
internal import Support

/// `appcore build`: compiles the plugins that a manifest names by their source folder.
struct BuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build", abstract: "Compile the changed plugins of an app.",
    usage: "appcore build [<manifest>] [<option> ...]",
    discussion: """
      Print the path of each library. Only plugins that the manifest names by their source folder \
      are compiled, as many at once as there are cores.

      Examples:
        appcore build
        appcore build app.yaml --release
      """)

  @OptionGroup var app: ManifestOptions

  @Flag(help: "Build with optimizations.")
  var release = false

  func run() throws {
    let options = try app.reading.appOptions()
    let plugins = try Workspace(app.manifest).plugins(options: options)
    let outcomes = WorkspaceProgress.build(plugins, release ? .release : .debug, options)
    var status: Int32 = 0
    for outcome in outcomes {
      switch outcome.result {
      case .success(let built): Console.print(built.path)
      case .failure(let error): status = max(status, error.exitStatus)
      }
    }
    if status != 0 { throw ExitCode(status) }
  }
}

/// Builds a workspace's plugins and prints the progress on standard error.
enum WorkspaceProgress {
  /// Builds plugins and prints the compiler's messages.
  ///
  /// On a terminal, also prints a line for each finished plugin.
  static func build(
    _ plugins: [WorkspacePlugin], _ configuration: BuildConfiguration, _ options: AppOptions
  ) -> [PluginBuild.Outcome] {
    let facts = TerminalFacts(descriptor: STDERR_FILENO)
    let isStyled = facts.style == .terminal
    let showsProgress = isatty(STDERR_FILENO) == 1
    return waitFor {
      await PluginBuild.run(plugins, configuration, showsColors: isStyled, options: options) {
        outcome in
        switch outcome.result {
        case .success(let built):
          pass(built.diagnostics, isStyled)
          if showsProgress {
            Console.printError(
              built.didCompile
                ? "\(built.name): compiled in \(seconds(outcome.duration))"
                : "\(built.name): nothing has changed")
          }
        case .failure(let error):
          pass(error.diagnostics, isStyled)
          // The compiler's own messages, printed above, are enough.
          if !error.isCompilers { Console.printError(error.description) }
        }
      }
    }
  }

  /// Prints the compiler's messages.
  static func pass(_ diagnostics: String, _ isStyled: Bool) {
    guard !diagnostics.isEmpty else { return }
    let text = diagnostics.hasSuffix("\n") ? String(diagnostics.dropLast()) : diagnostics
    Console.printError(text, as: isStyled ? .styled : .text)
  }

  static func seconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
