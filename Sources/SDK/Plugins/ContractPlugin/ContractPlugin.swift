import PackagePlugin

/// Makes the source file that names the contract of the SDK.
///
/// A plugin compiled against another epoch of the SDK, or by another version of the compiler, would
/// load without complaint and read wrong memory. The file declares one C symbol whose name holds both;
/// every plugin refers to it, so a mismatch shows in the plugin's file before it is loaded.
@main
struct ContractPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target as? SwiftSourceModuleTarget else { return [] }
    let sources = module.sourceFiles(withSuffix: "swift").map(\.url).sorted { $0.path < $1.path }
    let output = context.pluginWorkDirectoryURL.appending(path: "Contract.generated.swift")
    let compiler = try context.tool(named: "swiftc").url
    return [
      .buildCommand(
        displayName: "Naming the SDK contract",
        executable: try context.tool(named: "ContractTool").url,
        arguments: [compiler.path, output.path] + sources.map(\.path),
        inputFiles: sources,
        outputFiles: [output]
      )
    ]
  }
}
