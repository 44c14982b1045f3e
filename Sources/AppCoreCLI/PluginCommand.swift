internal import ArgumentParser

/// `appcore plugin`: the group of commands for authors of plugins.
struct PluginCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugin", abstract: "Create and build plugins.",
    discussion: """
      Examples:
        appcore plugin new Greeter
        appcore plugin build Greeter
      """,
    subcommands: [PluginNewCommand.self, PluginBuildCommand.self])
}
