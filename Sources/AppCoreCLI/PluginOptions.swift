internal import AppCoreHost
internal import ArgumentParser

/// Where a command that reads plugins searches for them.
struct PluginOptions: ParsableArguments {
  @Option(
    name: .customLong("plugin-path"), parsing: .singleValue,
    help: ArgumentHelp(
      "A folder to search for plugins first; may be given again.", valueName: "dir"))
  var pluginPath: [String] = []

  /// The same as the host takes it.
  var appOptions: AppOptions {
    var options = AppOptions()
    options.pluginPath = pluginPath
    return options
  }
}
