internal import AppCoreHost
internal import ArgumentParser

/// `appcore run`: runs an app; a terminal is asked for lines, a pipe is a script.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Runs an app: on a terminal by typing, from a pipe as a script.")

  @OptionGroup var options: ManifestOptions

  @Flag(help: "One JSON object for each screen, for programs.")
  var json = false

  func validate() throws { _ = try options.appOptions() }

  func run() throws {}
}
