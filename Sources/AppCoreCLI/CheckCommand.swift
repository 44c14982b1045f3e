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

  func run() throws {
    let report: ManifestReport
    do throws(AppLoadError) {
      report = try ManifestReport(options.manifest, options: try unchecked(options))
    } catch {
      Console.printError("\(error)")
      throw ExitCode(error.exitStatus)
    }
    Console.print(report.rendered(format), terminator: "")
    if report.problemCount == 0, format == .text {
      Console.printError("\(options.manifest): no problems")
    }
    if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
  }

  private func unchecked(_ options: ManifestOptions) throws(AppLoadError) -> AppOptions {
    // `validate` has looked at them.
    (try? options.appOptions()) ?? AppOptions()
  }

  func validate() throws { _ = try options.appOptions() }
}
