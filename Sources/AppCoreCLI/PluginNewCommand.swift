internal import AppCoreHost
internal import ArgumentParser
internal import PluginTools

/// `appcore plugin new`: makes a folder with a plugin that builds, runs and tests.
struct PluginNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create a folder with a plugin that builds, runs and has tests.",
    discussion: """
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
  var parent = "."

  func run() throws {
    do throws(ScaffoldError) {
      let scaffold = try PluginScaffold(name: name, into: parent)
      try scaffold.write()
      for file in scaffold.files { Console.print("\(scaffold.folder)/\(file)") }
      Console.printError(
        "next: cd \(scaffold.folder); appcore run --watch \(scaffold.manifest); swift test")
    } catch {
      Console.printError("\(error)")
      throw ExitCode(error.exitStatus)
    }
  }
}
