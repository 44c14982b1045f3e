internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Sessions
internal import Support

/// `appcore __restore`: restores a session for another process, and prints what became of it.
///
/// A plugin that crashes while it reads a state ends only this process.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: SessionTrial.command, abstract: "Try to restore a session for another process.",
    shouldDisplay: false)

  @Argument var manifest: String

  @OptionGroup var options: ReadingOptions

  @Option var session: String

  @Option var mark: String

  func run() throws {
    SessionTrial.confine()
    do {
      let app = try LoadedApp.load(manifest, options: options.appOptions())
      guard let saved = try SavedSession.read(session, app: app.name, isShared: true) else {
        throw ExitCode(66)
      }
      let plan = try app.tryPlan(for: saved.image)
      Console.print("\n" + SessionTrial.answer(plan, mark: mark), as: .json)
    } catch let error as ExitCode {
      throw error
    } catch {
      Console.printError("\(error)")
      throw ExitCode(65)
    }
  }
}
