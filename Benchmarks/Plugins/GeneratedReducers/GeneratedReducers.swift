import PackagePlugin

/// Generates the nested and sibling reducers that the composition rows measure.
@main
struct GeneratedReducers: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let output = context.pluginWorkDirectoryURL.appending(path: "Reducers.generated.swift")
    return [
      .buildCommand(
        displayName: "Writing reducers",
        executable: try context.tool(named: "ReducerGenerator").url,
        arguments: [output.path],
        outputFiles: [output]
      )
    ]
  }
}
