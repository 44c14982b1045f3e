internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import Shell

/// `appcore run`: runs an app; a terminal is asked for lines, a pipe is a script.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Runs an app: on a terminal by typing, from a pipe as a script.")

  @OptionGroup var options: ManifestOptions

  @Flag(help: "One JSON object for each screen, for programs.")
  var json = false

  func validate() throws { _ = try options.appOptions() }

  func run() throws {
    OutputWriter.ignoreBrokenPipes()
    let app = try begin()
    let status: Int32
    do throws(InputOutputError) {
      status = try converse(app)
    } catch {
      throw end(error)
    }
    if status != 0 { throw ExitCode(status) }
  }

  /// Loads the app and shows its first node.
  private func begin() throws -> App {
    do {
      let app = App(try LoadedApp.load(options.manifest, options: options.appOptions()))
      if !app.loaded.remarks.isEmpty { Console.printError(String(app.loaded.remarks.dropLast())) }
      let failure = waitFor { () -> AppLoadError? in
        do throws(AppLoadError) {
          try await app.begin()
          return nil
        } catch {
          return error
        }
      }
      if let failure { throw failure }
      return app
    } catch let error as AppLoadError {
      Console.printError("\(error)")
      throw ExitCode(error.exitStatus)
    }
  }

  private func converse(_ app: App) throws(InputOutputError) -> Int32 {
    let facts = TerminalFacts(descriptor: STDOUT_FILENO)
    let isInteractive = isatty(STDIN_FILENO) == 1 && facts.isTerminal && !json
    let settings = SessionSettings(
      format: json ? .json : .text(facts.style), isInteractive: isInteractive, width: facts.width)
    waitFor { await app.converse(settings) }
    return isInteractive
      ? try TerminalRunner(app).run() : try ScriptRunner(app, isJSON: json).run()
  }

  private func end(_ error: InputOutputError) -> ExitCode {
    // Whoever read the output has gone: there is nobody to tell, and the status is that of SIGPIPE.
    if error == .readerGone { return ExitCode(128 + SIGPIPE) }
    Console.printError("appcore: \(error)")
    return ExitCode(74)
  }
}
