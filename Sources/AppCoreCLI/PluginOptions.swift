internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Glibc

/// Where a command that reads plugins searches for them.
struct PluginOptions: ParsableArguments {
  @Option(
    name: .customLong("plugin-path"), parsing: .singleValue,
    help: ArgumentHelp(
      "A folder to search for plugins first; may be given again.", valueName: "dir"))
  var pluginPath: [String] = []

  @Flag(
    name: .customLong("rescan"),
    help: "Ask plugins anew what they are, whatever was found before.")
  var rescans = false

  @Flag(
    name: .customLong("allow-writable"),
    help: "Take plugins that other users of this machine can change.")
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
