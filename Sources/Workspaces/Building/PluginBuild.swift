public import AppCheck
internal import Support

/// Builds the plugins of a workspace: at once as many as there are cores, and only what has changed.
public enum PluginBuild {
  /// What came of one plugin.
  public struct Outcome: Sendable {
    /// The plugin.
    public let plugin: WorkspacePlugin
    /// The library, or why there is none.
    public let result: Result<BuiltPluginFile, PluginFolderError>
    /// How long it took.
    public let duration: Duration
  }

  /// Builds plugins.
  ///
  /// Each build blocks a thread of Swift's pool while the compiler runs, so that as many run as there
  /// are cores.
  ///
  /// - Parameters:
  ///   - plugins: the plugins.
  ///   - configuration: for what they are compiled.
  ///   - showsColors: whether the compiler's words are coloured.
  ///   - options: the environment, and the program that scans.
  ///   - report: called with each outcome as soon as it is there, in any order.
  /// - Returns: the outcomes, in the order of the plugins.
  public static func run(
    _ plugins: [WorkspacePlugin], _ configuration: PluginConfiguration, showsColors: Bool = false,
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
