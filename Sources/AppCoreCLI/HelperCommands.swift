internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Sessions
internal import Support

/// `appcore __scan`: loads and describes plugins in a separate process, for a host.
///
/// A plugin that crashes while it is loaded ends only this process.
struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "__scan", abstract: "Load and describe plugins for another process.",
    shouldDisplay: false)

  func run() throws {
    let status = ScanReport.serve()
    if status == 64 {
      throw CommandError("'__scan' is for hosts, which start it themselves")
    }
    throw ExitCode(status)
  }
}

/// `appcore __restore`: restores a session for another process, and prints what became of it.
///
/// A plugin that crashes while it reads a state ends only this process.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: SessionPlan.trialCommand,
    abstract: "Try to restore a session for another process.", shouldDisplay: false)

  @Argument var manifest: String

  @OptionGroup var options: ReadingOptions

  @Option var session: String

  @Option var mark: String

  func run() throws {
    SessionPlan.confineTrial()
    do {
      let app = try LoadedApp.load(manifest, options: options.appOptions())
      guard let saved = try SavedSession.read(session, app: app.name, isShared: true) else {
        throw ExitCode(66)
      }
      let plan = try app.tryPlan(for: saved.image)
      Console.print("\n" + plan.answer(mark: mark), as: .json)
    } catch let error as ExitCode {
      throw error
    } catch {
      Console.printError("\(error)")
      throw ExitCode(65)
    }
  }
}

/// `appcore __stamp`: appends the digest of a plugin's library to it; `make install` calls it.
struct StampCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "__stamp", abstract: "Append the digest of a plugin's library to it.",
    shouldDisplay: false)

  @Argument var library: String

  func run() throws { try PluginFolder.stamp(library) }
}
