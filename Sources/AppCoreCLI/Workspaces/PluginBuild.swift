internal import AppCheck
internal import PluginHost
internal import Support

/// Builds the plugins of a workspace that have changed, as many at once as there are cores.
enum PluginBuild {
  /// The result for one plugin.
  struct Outcome: Sendable {
    let plugin: WorkspacePlugin
    /// The library, or why it was not built.
    let result: Result<BuiltPlugin, PluginFolderError>
    let duration: Duration
  }

  /// Builds plugins, and calls `report` with each outcome when its build has ended, in any order.
  ///
  /// Each build blocks a thread of Swift's pool while the compiler runs. The pool has as many threads
  /// as there are cores, so that is the number of builds that run at once.
  static func run(
    _ plugins: [WorkspacePlugin], _ configuration: BuildConfiguration, showsColors: Bool = false,
    options: AppOptions, report: @escaping @Sendable (Outcome) -> Void = { _ in }
  ) async -> [Outcome] {
    await withTaskGroup(of: (Int, Outcome).self) { group in
      for (index, plugin) in plugins.enumerated() {
        group.addTask {
          let start = ContinuousClock.now
          let result = Result { () throws(PluginFolderError) in
            try PluginFolder.build(
              plugin.folder, configuration, showsColors: showsColors, options: options)
          }
          let outcome = Outcome(
            plugin: plugin, result: result, duration: start.duration(to: .now))
          report(outcome)
          return (index, outcome)
        }
      }
      var outcomes: [Int: Outcome] = [:]
      for await (index, outcome) in group { outcomes[index] = outcome }
      return plugins.indices.compactMap { outcomes[$0] }
    }
  }
}
