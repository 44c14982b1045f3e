internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Lock
internal import Support

/// `appcore lock`: writes what an app is made of beside its manifest, or compares it.
struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock an app: write digests of its manifest and plugins to appcore.lock.",
    usage: "appcore lock <manifest> [<option> ...]",
    discussion: """
      Examples:
        appcore lock app.yaml
        appcore lock app.yaml --add
        appcore lock app.yaml --check
      """)

  @OptionGroup var options: ManifestOptions

  @Flag(help: "Keep what is locked and add the builds for this machine.")
  var add = false

  @Flag(help: "Compare the app with its lock and write nothing.")
  var check = false

  func validate() throws {
    _ = try options.appOptions()
    if add, check {
      throw ValidationError("'--add' writes and '--check' does not; use one.")
    }
    guard !options.reading.isLocked else {
      throw ValidationError("'--locked' is for commands that read the lock; leave it out.")
    }
    guard options.reading.mocks.isEmpty else {
      throw ValidationError("'--mock' does not go with 'lock': a mock has no code to lock.")
    }
  }

  func run() throws {
    let appOptions = try options.appOptions()
    let path = AppLock.path(ofManifest: options.manifest)
    do throws(LockError) {
      if check {
        let lock = try AppLock.check(ofManifest: options.manifest, options: appOptions)
        Console.printError("\(SafeText.line(path)): the app is as it was locked; \(lock.summary)")
      } else {
        let (lock, isChanged, leftOut) = try AppLock.write(
          ofManifest: options.manifest, options: appOptions, adding: add)
        Console.printError(
          "\(SafeText.line(path)): \(isChanged ? "written" : "no changes"); \(lock.summary)"
            + (leftOut == 0
              ? ""
              : "; \(leftOut) build\(leftOut == 1 ? " for another machine is" : "s for other machines are") left out")
        )
      }
    } catch {
      Console.printError("\(error)")
      throw ExitCode(error.exitStatus)
    }
  }
}

extension AppLock {
  /// What it has, in a few words.
  fileprivate var summary: String {
    func counted(_ count: Int, _ one: String) -> String {
      "\(count) \(one)\(count == 1 ? "" : "s")"
    }
    let builds = plugins.values.reduce(0) { $0 + $1.builds.count }
    return [
      counted(plugins.count, "plugin"), counted(builds, "build"),
      counted(files.count, "file") + " of the manifest",
    ].joined(separator: ", ")
  }
}
