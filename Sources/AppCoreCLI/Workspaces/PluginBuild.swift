internal import AppCheck
internal import AppCoreHost
internal import Glibc
internal import PluginHost
internal import Shell
internal import Support

/// Builds the plugins of a workspace that have changed, as many at once as there are cores.
enum PluginBuild {
  /// The library of a plugin, or why it was not built.
  typealias Outcome = Result<BuiltPlugin, PluginFolderError>

  /// Builds plugins, and calls `report` with each outcome when its build has ended, in any order.
  ///
  /// Each build blocks a thread of Swift's pool while the compiler runs. The pool has as many threads
  /// as there are cores, so that is the number of builds that run at once.
  static func run(
    _ plugins: [WorkspacePlugin], _ configuration: BuildConfiguration, showsColors: Bool = false,
    options: AppOptions, report: @escaping @Sendable (Outcome, Duration) -> Void = { _, _ in }
  ) async -> [Outcome] {
    await withTaskGroup(of: (Int, Outcome).self) { group in
      for (index, plugin) in plugins.enumerated() {
        group.addTask {
          let start = ContinuousClock.now
          let outcome = Result { () throws(PluginFolderError) in
            try PluginFolder.build(
              plugin.folder, configuration, showsColors: showsColors, options: options)
          }
          report(outcome, start.duration(to: .now))
          return (index, outcome)
        }
      }
      var outcomes: [Int: Outcome] = [:]
      for await (index, outcome) in group { outcomes[index] = outcome }
      return plugins.indices.compactMap { outcomes[$0] }
    }
  }

  /// Builds plugins, and prints the compiler's messages on standard error; on a terminal also a line
  /// for each finished plugin.
  static func runShowingProgress(
    _ plugins: [WorkspacePlugin], _ configuration: BuildConfiguration, _ options: AppOptions
  ) -> [Outcome] {
    let facts = TerminalFacts(descriptor: STDERR_FILENO)
    let isStyled = facts.style == .terminal
    let showsProgress = isatty(STDERR_FILENO) == 1
    return waitFor {
      await run(plugins, configuration, showsColors: isStyled, options: options) {
        outcome, duration in
        printMessages(of: outcome, isStyled)
        if showsProgress, let built = try? outcome.get() {
          Console.printError(
            built.didCompile
              ? "\(built.name): compiled in \(seconds(duration))"
              : "\(built.name): nothing has changed")
        }
      }
    }
  }

  /// Prints the compiler's messages, and why a plugin is not built.
  static func printMessages(of outcome: Outcome, _ isStyled: Bool) {
    var (diagnostics, error): (String, PluginFolderError?)
    switch outcome {
    case .success(let built): (diagnostics, error) = (built.diagnostics, nil)
    case .failure(let failure): (diagnostics, error) = (failure.diagnostics, failure)
    }
    if diagnostics.hasSuffix("\n") { diagnostics.removeLast() }
    if !diagnostics.isEmpty { Console.printError(diagnostics, as: isStyled ? .styled : .text) }
    // The compiler's own messages are enough.
    if let error, !error.isCompilers { Console.printError(error.description) }
  }

  private static func seconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
