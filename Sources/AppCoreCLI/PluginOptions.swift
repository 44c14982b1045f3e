internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Glibc

/// Where a command that reads plugins searches for them.
struct PluginOptions: ParsableArguments {
  @Option(
    name: .customLong("plugin-path"), parsing: .singleValue,
    help: ArgumentHelp(
      "Search this folder for plugins first; repeatable.", valueName: "dir"))
  var pluginPath: [String] = []

  @Flag(
    name: .customLong("rescan"),
    help: "Scan plugins again, ignoring the cache.")
  var rescans = false

  @Flag(
    name: .customLong("allow-writable"),
    help: "Allow plugins that other users can modify.")
  var allowsWritable = false

  /// The same as the host takes it.
  var appOptions: AppOptions {
    var options = AppOptions()
    options.pluginPath = pluginPath
    options.rescans = rescans
    options.allowsWritable = allowsWritable
    // For a person who waits; what it comes to is a problem, or nothing.
    if isatty(STDERR_FILENO) == 1 {
      options.willCompile = { Console.printError("appcore: compiling '\($0)' …") }
      options.willWait = { Console.printError("appcore: another build of '\($0)' is waited for …") }
    }
    return options
  }
}
