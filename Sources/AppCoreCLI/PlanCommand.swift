internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Sessions
internal import Supervision
internal import Support

struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Print what changes between two versions of an app.",
    usage: "appcore plan <old> <new> [<option> ...]",
    discussion: """
      Each version is a bundle's folder or archive, or a manifest or its folder. No code of a bundle \
      is run, unless a session is given. Exits with status 65 if running sessions lose something, \
      and with 75 if that can't be known.

      Examples:
        appcore plan console-1.0.tar.gz console-1.1.tar.gz
        appcore plan /opt/console/current build/console --json
        appcore plan /opt/console/current build/console --session console.session
        appcore plan /opt/console/current build/console --fail-on lost
      """)

  @Argument(help: "The version that runs.", completion: .file())
  var old: String

  @Argument(help: "The version that is to take its place.", completion: .file())
  var new: String

  @Flag(help: "Print one JSON object, for programs.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Restore a saved session with the new version, in another process.", valueName: "file"),
    completion: .file())
  var session: String?

  @Option(
    help: ArgumentHelp(
      "What ends with a status other than 0: 'lost', 'unknown', or both.", valueName: "kinds"))
  var failOn = FailureKinds.all

  @OptionGroup var options: ReadingOptions

  /// What may become of running sessions that an exit status tells.
  struct FailureKinds: ExpressibleByArgument {
    var isLost = true
    var isUnknown = true

    static let all = FailureKinds()

    private init() {}

    init?(argument: String) {
      let names = argument.split(separator: ",", omittingEmptySubsequences: false)
      guard names.allSatisfy({ ["lost", "unknown"].contains($0) }) else { return nil }
      (isLost, isUnknown) = (names.contains("lost"), names.contains("unknown"))
    }

    var defaultValueDescription: String { "lost,unknown" }
  }

  func run() throws {
    let appOptions = try options.appOptions()
    do {
      let plan = try UpdatePlan(
        from: old, to: new, options: appOptions, session: session, arguments: options.arguments)
      Console.print(json ? plan.json : plan.text, terminator: "", as: json ? .json : .text)
      let status = plan.exitStatus(failingOn: failOn)
      if status != 0 { throw ExitCode(status) }
    } catch let error as SessionError {
      throw CommandError(
        "can't try the session in '\(error.path)': \(error.reason)", exitStatus: 65)
    }
  }
}
