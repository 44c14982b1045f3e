internal import AppCoreHost
internal import ArgumentParser
internal import PluginTools

/// `appcore inspect`: says what plugin files are.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Says what plugins are and whether they fit, from their files alone.",
    usage: "appcore inspect <plugins> ... [<option> ...]",
    discussion: """
      Examples:
        appcore inspect build/libNotes.so
        appcore inspect Notes --scan
        appcore inspect build/*.so --json
      """)

  @Argument(
    help: "The files or folders of sources, or names of plugins to search for.",
    completion: .file(extensions: ["so"]))
  var plugins: [String]

  @Flag(help: "Ask them, in a process of their own, for their features and what these take.")
  var scan = false

  @Flag(help: "One JSON object, for programs.")
  var json = false

  @OptionGroup var options: PluginOptions

  func run() throws {
    let report = PluginReport(plugins, options: options.appOptions, scans: scan)
    Console.print(json ? report.json : report.text, terminator: "")
    if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
  }
}
