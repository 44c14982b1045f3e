internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Support

/// `appcore plugin new`: creates a folder with a small plugin that can be built and tested at once.
struct PluginNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create a folder with a plugin that builds, runs and has tests.",
    discussion: """
      In an app's folder, create the plugin in Plugins/<name> and list it in the manifest.

      Examples:
        appcore plugin new Greeter
        appcore plugin new Devices --into Plugins
      """)

  @Argument(help: "The plugin's name: letters, digits and '_', beginning with a letter.")
  var name: String

  @Option(
    name: .customLong("into"),
    help: ArgumentHelp("Create the plugin's folder in this folder.", valueName: "dir"),
    completion: .directory)
  var parent: String?

  func run() throws {
    // The app in the working directory, for which the plugin is created.
    let app = parent == nil ? try? Workspace(nil) : nil
    do throws(ScaffoldError) {
      let scaffold = try PluginScaffold(
        name: name, into: parent ?? (app == nil ? "." : "Plugins"), isOfApp: app != nil)
      try scaffold.write()
      for file in scaffold.files { Console.print("\(scaffold.folder)/\(file)") }
      if let app { return add(scaffold, to: app) }
      let folder = shellWord(scaffold.folder)
      Console.printError(
        "next: cd \(folder); appcore run --watch \(scaffold.manifest); swift test")
    } catch {
      Console.printError("\(error)")
      throw ExitCode(error.exitStatus)
    }
  }

  /// Adds the plugin to the app's manifest, or prints the lines to add if that is not possible.
  private func add(_ scaffold: PluginScaffold, to workspace: Workspace) {
    let isListed = ManifestPluginEdit.add(
      folder: scaffold.folder, to: workspace, options: AppOptions())
    if !isListed {
      Console.printError(
        "add to `plugins:` of \(workspace.manifest):\n"
          + ManifestPluginEdit.line(folder: scaffold.folder))
    }
    Console.printError(
      "next: give it a node in \(workspace.manifest), such as "
        + "`\(name.lowercased()): { feature: \(name).Counter }`, and a route for its limitReached")
  }
}
