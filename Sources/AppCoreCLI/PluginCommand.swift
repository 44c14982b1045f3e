internal import ArgumentParser

/// `appcore plugin`: what the author of a plugin needs.
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
