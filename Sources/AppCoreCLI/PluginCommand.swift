internal import ArgumentParser

/// `appcore plugin`: the group of commands for authors of plugins.
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
