internal import AppCoreHost
internal import ArgumentParser
internal import Support

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Describe plugins and check compatibility without running them.",
    usage: "appcore inspect <plugins> ... [<option> ...]",
    discussion: """
      Examples:
        appcore inspect build/libNotes.so
        appcore inspect Notes --scan
        appcore inspect build/*.so --json
      """)

  @Argument(
    help: "Plugin files, folders of sources, or plugin names to search for.",
    completion: .file(extensions: ["so"]))
  var plugins: [String]

  @Flag(help: "Load plugins in a separate process and list their features.")
  var scan = false

  @Flag(help: "Print one JSON object, for programs.")
  var json = false

  @OptionGroup var options: PluginOptions

  func run() throws {
    let report = PluginReport(plugins, options: options.appOptions, scans: scan)
    Console.print(json ? report.json : report.text, terminator: "", as: json ? .json : .text)
    if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
  }
}
