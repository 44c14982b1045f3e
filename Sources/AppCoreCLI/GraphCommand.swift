internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import Shell
internal import Support

/// `appcore graph`: draws the nodes of a manifest and the routes between them.
struct GraphCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph", abstract: "Draw the nodes of a manifest and the routes between them.",
    usage: "appcore graph <manifest> [<option> ...]",
    discussion: """
      Examples:
        appcore graph app.yaml
        appcore graph app.yaml --format dot | dot -Tsvg > app.svg
      """)

  @OptionGroup var options: ManifestOptions

  @Option(help: "The output format.")
  var format = GraphFormat.text

  @Option(help: "Text width; the terminal's, or 80, unless given.")
  var width: Int?

  func validate() throws {
    _ = try options.appOptions()
    if let width, width < 20 {
      throw ValidationError("'--width \(width)' is too narrow; give 20 or more.")
    }
  }

  func run() throws {
    let report: ManifestReport
    do throws(AppLoadError) {
      report = try ManifestReport(options.manifest, options: (try? options.appOptions()) ?? .init())
    } catch {
      Console.printError("\(error)")
      throw ExitCode(error.exitStatus)
    }
    let facts = TerminalFacts(descriptor: StandardOutput.descriptor)
    guard
      let drawing = report.drawing(format, width: width ?? facts.width, style: facts.style)
    else {
      Console.printError(String(report.text.dropLast()))
      throw ExitCode(report.exitStatus)
    }
    Console.print(drawing, terminator: "", as: format == .json ? .json : .styled)
  }
}
