internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser

/// `appcore check`: prints every problem of a manifest.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Prints every problem of a manifest.",
    usage: "appcore check <manifest> [<option> ...]",
    discussion: """
      Examples:
        appcore check app.yaml
        appcore check app.yaml --format sarif > problems.sarif
      """)

  @OptionGroup var options: ManifestOptions

  @Option(help: "How the problems are written.")
  var format = ReportFormat.text

  @Option(
    name: .customLong("max-problems"),
    help: ArgumentHelp("The most problems that are written.", valueName: "n"))
  var limit = 100

  @Option(
    name: .customLong("ignore"), parsing: .singleValue,
    help: ArgumentHelp(
      "The code of a warning or note to leave out; may be given again.", valueName: "code"))
  var ignoredCodes: [String] = []

  @Flag(
    name: .customLong("warnings-as-errors"), help: "End with the status of an error on a warning.")
  var warningsAreErrors = false

  private var selection: ReportSelection {
    ReportSelection(
      limit: limit, ignoredCodes: Set(ignoredCodes), warningsAreErrors: warningsAreErrors)
  }

  func run() throws {
    let report: ManifestReport
    do throws(AppLoadError) {
      report = try ManifestReport(options.manifest, options: try unchecked(options))
    } catch {
      Console.printError("\(error)")
      throw ExitCode(error.exitStatus)
    }
    Console.print(report.rendered(format, selection), terminator: "")
    if report.problemCount(selection) == 0, format == .text {
      Console.printError("\(options.manifest): no problems")
    }
    let status = report.exitStatus(selection)
    if status != 0 { throw ExitCode(status) }
  }

  private func unchecked(_ options: ManifestOptions) throws(AppLoadError) -> AppOptions {
    // `validate` has looked at them.
    (try? options.appOptions()) ?? AppOptions()
  }

  func validate() throws {
    _ = try options.appOptions()
    guard limit >= 1 else { throw ValidationError("'--max-problems' takes a number from 1.") }
  }
}
