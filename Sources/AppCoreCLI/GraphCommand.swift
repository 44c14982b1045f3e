internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Shell
internal import Support

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
    try checkPath(page, of: "--html")
    if let width, width < 20 {
      throw ValidationError("'--width \(width)' is too narrow; give 20 or more.")
    }
  }

  func run() throws {
    let file = try page.map { try OutputFile($0, "the page") }
    let source = try AppSource(named: app.manifest)
    let options = source.options(try app.reading.appOptions())
    let report = try ManifestReport(source.manifest, options: options)
    if let file {
      guard let drawing = report.drawing else { throw AppLoadError.problems(report) }
      return try file.write(drawing.html)
    }
    let facts = TerminalFacts(descriptor: StandardOutput.descriptor)
    guard
      let drawing = report.drawing(format, width: width ?? facts.width, style: facts.style)
    else { throw AppLoadError.problems(report) }
    Console.print(drawing, terminator: "", as: format == .json ? .json : .styled)
  }
}
