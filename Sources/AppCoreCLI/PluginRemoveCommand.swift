internal import AppCheck
internal import ArgumentParser
internal import Support

/// `appcore plugin remove`: takes a plugin out of an app's manifest.
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
    let workspace = try Workspace.named(nil)
    let manifest = SafeText.line(workspace.manifest)
    switch ManifestPluginEdit.remove(name, from: workspace, options: AppOptions()) {
    case .removed:
      Console.printError("\(manifest): removed \(name)")
      Console.printError(
        "next: remove its nodes and routes, which `appcore check` lists, and its sources")
    case .unknown(let listed):
      let hint =
        NearestName.of(name, among: listed).map { "did you mean '\($0)'?" }
        ?? "it lists \(listed.isEmpty ? "none" : listed.joined(separator: ", "))"
      Console.printError(
        SafeText.line("appcore: \(workspace.manifest) lists no plugin '\(name)'; \(hint)"))
      throw ExitCode(65)
    case .notEditable:
      Console.printError(
        "appcore: can't edit \(manifest): remove '\(SafeText.line(name))' from `plugins:` by hand")
      throw ExitCode(65)
    }
  }
}
