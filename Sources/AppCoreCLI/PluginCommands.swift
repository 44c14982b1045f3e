internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import PluginHost
internal import Shell
internal import Support

struct PluginCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugin", abstract: "Create, build and remove plugins.",
    discussion: """
      Examples:
        appcore plugin new Greeter
        appcore plugin build Greeter
        appcore plugin remove Greeter
      """,
    subcommands: [PluginNewCommand.self, PluginBuildCommand.self, PluginRemoveCommand.self])
}

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
    let scaffold = try Scaffold(
      plugin: name, into: parent ?? (app == nil ? "." : "Plugins"), isOfApp: app != nil)
    try scaffold.write()
    for file in scaffold.files { Console.print("\(scaffold.folder)/\(file.path)") }
    if let app { return add(scaffold, to: app) }
    let folder = shellWord(scaffold.folder)
    Console.printError(
      "next: cd \(folder); appcore run --watch \(Scaffold.manifestPath(ofPlugin: name)); swift test"
    )
  }

  /// Adds the plugin to the app's manifest, or prints the lines to add if that is not possible.
  private func add(_ scaffold: Scaffold, to workspace: Workspace) {
    if !ManifestPluginEdit.add(folder: scaffold.folder, to: workspace) {
      Console.printError(
        "add to `plugins:` of \(workspace.manifest):\n"
          + ManifestPluginEdit.line(folder: scaffold.folder))
    }
    Console.printError(
      "next: give it a node in \(workspace.manifest), such as "
        + "`\(name.lowercased()): { feature: \(name).Counter }`, and a route for its limitReached")
  }
}

struct PluginBuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build", abstract: "Compile a plugin's folder if anything has changed.",
    usage: "appcore plugin build [<dir>] [<option> ...]",
    discussion: """
      Print the path of the library, .build/appcore/<configuration>/lib<Name>.so in the folder. \
      It is compiled by the 'swiftc' on the PATH against the modules of this appcore.

      Examples:
        appcore plugin build
        appcore plugin build Plugins/Devices -c release
      """)

  @Argument(help: ArgumentHelp("The plugin's folder.", valueName: "dir"), completion: .directory)
  var folder = "."

  @Option(name: .shortAndLong, help: "The build configuration.")
  var configuration = BuildConfiguration.debug

  @Flag(
    name: .customLong("allow-writable"), help: "Allow sources that other users can modify.")
  var allowsWritable = false

  func run() throws {
    var options = AppOptions()
    options.allowsWritable = allowsWritable
    // Only then does the compiler get the option for colors.
    let isStyled = TerminalFacts(descriptor: STDERR_FILENO).style == .terminal
    let outcome = Result { () throws(PluginFolderError) in
      try PluginFolder.build(folder, configuration, showsColors: isStyled, options: options)
    }
    PluginBuild.printMessages(of: outcome, isStyled)
    let built: BuiltPlugin
    do throws(PluginFolderError) { built = try outcome.get() } catch {
      throw ExitCode(error.exitStatus)
    }
    Console.printError(
      built.didCompile ? "\(built.name): compiled" : "\(built.name): nothing has changed")
    Console.print(built.path)
  }
}

struct PluginRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take a plugin out of an app's manifest.",
    discussion: """
      In an app's folder, remove the plugin from the manifest's list. Its sources are kept, and so \
      are the nodes and routes that use it: 'appcore check' lists them.

      Examples:
        appcore plugin remove Greeter
      """)

  @Argument(help: "The plugin's name.")
  var name: String

  func run() throws {
    let workspace = try Workspace(nil)
    try ManifestPluginEdit.remove(name, from: workspace)
    Console.printError("\(SafeText.line(workspace.manifest)): removed \(name)")
    Console.printError(
      "next: remove its nodes and routes, which `appcore check` lists, and its sources")
  }
}
