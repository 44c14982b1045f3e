internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Support

struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Check an app's manifest and run its plugins' tests and its scripts.",
    usage: "appcore test [<manifest>] [<option> ...]",
    discussion: """
      The tests of a plugin are run by 'swift test' in its folder; the scripts are \
      tests/*.script beside the manifest. Exits with status 65 if a test fails.

      Examples:
        appcore test
        appcore test --junit results.xml
      """)

  @OptionGroup var app: ManifestOptions

  @Option(
    help: ArgumentHelp("Also write the results to a file, as JUnit XML.", valueName: "file"),
    completion: .file())
  var junit: String?

  func validate() throws { try checkPath(junit, of: "--junit") }

  func run() throws {
    // Checked first, so that no test runs if the results can't be written.
    let file = try junit.map { try OutputFile($0, "the results") }
    let options = try app.reading.appOptions()
    let workspace = try Workspace(app.manifest)
    let arguments = app.reading.arguments
    let report = try waitForResult { () async throws(AppLoadError) in
      try await workspace.test(options: options, arguments: arguments)
    }
    Console.print(report.summary)
    try file?.write(Array(report.junit.utf8))
    if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
  }
}
