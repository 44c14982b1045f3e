internal import AppCoreHost
internal import ArgumentParser
internal import Support

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create a folder with an app: a manifest, a plugin and tests.",
    discussion: """
      Examples:
        appcore new console
        appcore new price-list --plugin Prices --into apps
      """)

  @Argument(
    help: "The app's name: 2 to 64 lowercase letters, digits and '-', beginning with a letter.")
  var name: String

  @Option(
    help: ArgumentHelp(
      "The name of its plugin; by default like the app's, as PriceList for price-list.",
      valueName: "name"))
  var plugin: String?

  @Option(
    name: .customLong("into"),
    help: ArgumentHelp("Create the app's folder in this folder.", valueName: "dir"),
    completion: .directory)
  var parent = "."

  func run() throws {
    let scaffold = try Scaffold(app: name, plugin: plugin, into: parent)
    try scaffold.write()
    for file in scaffold.files { Console.print("\(scaffold.folder)/\(file.path)") }
    let folder = shellWord(scaffold.folder)
    Console.printError("next: cd \(folder); appcore test; appcore run --watch app.yaml")
  }
}
