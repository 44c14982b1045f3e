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
    usage: "appcore graph [<manifest>] [<option> ...]",
    discussion: """
      Examples:
        appcore graph
        appcore graph app.yaml --html app.html
        appcore graph app.yaml --format svg > app.svg
      """)

  @OptionGroup var app: AppArgument

  @Option(help: "The output format.")
  var format = GraphFormat.text

  @Option(parsing: .unconditional, help: "Text width; by default the terminal's, or 80.")
  var width: Int?

  @Option(
    name: .customLong("html"),
    help: ArgumentHelp("Write the graph to a file as an HTML page.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var page: String?

  func validate() throws {
    if let page, page.isEmpty { throw ValidationError("'--html' takes a file; its path is empty.") }
    if let width, width < 20 {
      throw ValidationError("'--width \(width)' is too narrow; give 20 or more.")
    }
  }

  func run() throws {
    let file = try page.map { try OutputFile($0, "the page") }
    let source = try app.find()
    let options = source.options(try app.reading.appOptions())
    let report: ManifestReport
    do throws(AppLoadError) {
      report = try ManifestReport(source.manifest, options: options)
    } catch {
      Console.printError("\(error)")
      throw ExitCode(error.exitStatus)
    }
    if let file {
      guard let drawing = report.drawing else { throw refusal(of: report) }
      if let status = file.write({ write throws(SystemError) in try write(drawing.html) }) {
        throw ExitCode(status)
      }
      return
    }
    let facts = TerminalFacts(descriptor: StandardOutput.descriptor)
    guard
      let drawing = report.drawing(format, width: width ?? facts.width, style: facts.style)
    else { throw refusal(of: report) }
    Console.print(drawing, terminator: "", as: format == .json ? .json : .styled)
  }

  /// Prints the manifest's problems, because of which there is nothing to draw.
  ///
  /// - Returns: the exit status.
  private func refusal(of report: ManifestReport) -> ExitCode {
    Console.printError(String(report.text.dropLast()))
    return ExitCode(report.exitStatus)
  }
}
