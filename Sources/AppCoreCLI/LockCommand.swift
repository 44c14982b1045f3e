internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import PluginHost
internal import Support

struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock an app: write digests of its manifest and plugins to appcore.lock.",
    usage: "appcore lock [<manifest>] [<option> ...]",
    discussion: """
      Examples:
        appcore lock
        appcore lock --add
        appcore lock app.yaml --check --json
      """)

  @OptionGroup var app: ManifestOptions

  @Flag(help: "Keep what is locked and add the builds for this machine.")
  var add = false

  @Flag(help: "Compare the app with its lock and write nothing.")
  var check = false

  @Flag(help: "Print one JSON object, for programs.")
  var json = false

  func validate() throws {
    if add, check {
      throw ValidationError("'--add' writes and '--check' does not; use one.")
    }
    guard !app.reading.isLocked else {
      throw ValidationError("'--locked' is for commands that read the lock; leave it out.")
    }
    guard app.reading.mocks.isEmpty else {
      throw ValidationError("'--mock' does not go with 'lock': a mock has no code to lock.")
    }
  }

  /// The result of the command, as it is printed in JSON.
  private enum Outcome: String {
    case written
    case unchanged
    case same
    case differs
  }

  func run() throws {
    let options = try app.reading.appOptions()
    let manifest = try Workspace(app.manifest).manifest
    let path = AppLock.path(ofManifest: manifest)
    do throws(LockError) {
      if check {
        report(.same, try AppLock.check(ofManifest: manifest, options: options), path)
      } else {
        let (lock, isChanged, leftOut) = try AppLock.write(
          ofManifest: manifest, options: options, adding: add)
        report(isChanged ? .written : .unchanged, lock, path, leftOut: leftOut)
      }
    } catch {
      guard json, case .differs(_, let differences) = error else { throw error }
      printJSON(.differs, nil, path, differences: differences)
      throw ExitCode(error.exitStatus)
    }
  }

  private func report(
    _ outcome: Outcome, _ lock: AppLock, _ path: String, leftOut: Int = 0
  ) {
    guard !json else { return printJSON(outcome, lock, path, leftOut: leftOut) }
    let words =
      switch outcome {
      case .written: "written"
      case .unchanged: "no changes"
      case .same, .differs: "the app is as it was locked"
      }
    let others = leftOut == 1 ? "build for another machine is" : "builds for other machines are"
    Console.printError(
      "\(SafeText.line(path)): \(words); \(lock.summary)"
        + (leftOut == 0 ? "" : "; \(leftOut) \(others) left out"))
  }

  /// Prints the result as JSON; `lock` is `nil` if the app differs from its lock.
  private func printJSON(
    _ outcome: Outcome, _ lock: AppLock?, _ path: String, leftOut: Int = 0,
    differences: [Rejection] = []
  ) {
    let tree: JSONTree = [
      "lock": 1, "path": .string(path), "outcome": .string(outcome.rawValue),
      "leftOut": .int(leftOut),
      "differences": .array(
        differences.map { difference in
          [
            "code": .string(difference.code), "message": .string(difference.message),
            "help": .string(difference.remedy),
          ]
        }),
      "app": lock?.json ?? .null,
    ]
    Console.print(tree.text, terminator: "", as: .json)
  }
}

extension AppLock {
  /// The numbers of plugins, builds and manifest files in the lock.
  fileprivate var summary: String {
    let builds = plugins.values.reduce(0) { $0 + $1.builds.count }
    return [
      counted(plugins.count, "plugin"), counted(builds, "build"),
      counted(files.count, "file") + " of the manifest",
    ].joined(separator: ", ")
  }
}
