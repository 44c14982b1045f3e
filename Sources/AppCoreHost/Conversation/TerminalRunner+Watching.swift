internal import Glibc
internal import Supervision
internal import Support

// What happens beside the lines: reloads, output of plugins, features that block the app's thread.
extension TerminalRunner {
  /// Starts posting plugins' output and reports of the watchdog, neither of which needs the app's
  /// thread.
  func beginWatching() {
    let report: @Sendable (String) -> Void = { [mailbox] in mailbox.post(.report("! " + $0)) }
    PluginOutput.setReceiver(report)
    session?.setReceiver(report)
    app.watchForBlocking(
      after: options.watchdog, endsAfter: options.hangLimit, report, end: options.endHang)
  }

  /// Stops what ``beginWatching()`` and the first screen have started, without waiting for an app
  /// whose thread is blocked.
  func endWatching() {
    PluginOutput.setReceiver(Self.logToStandardError)
    app.watchForBlocking(after: nil) { _ in }
    let (app, followsPlugins) = (app, options.followsPlugins)
    Task {
      await app.observeCompilation(nil)
      if followsPlugins { try? await app.followFiles(nil) }
    }
  }

  /// Starts following files, and posts the first screen with the message above it.
  static func showFirst(of app: App, _ mailbox: Mailbox, followsPlugins: Bool) async {
    await app.observeCompilation { mailbox.post(.compiling($0)) }
    // Before the screen is shown: a file that the user saves after seeing it must be noticed.
    if followsPlugins {
      do throws(FollowingError) {
        try await app.followFiles { if $0.outcome != .unchanged { mailbox.postFrame() } }
      } catch {
        mailbox.post(.report("! \(error)"))
      }
    }
    await app.converse { conversation, app in
      let (frame, message) = await conversation.firstFrame(of: app)
      // What the terminal shows of the previous process is logged, if that is something else.
      if let message, isatty(STDERR_FILENO) == 0 { logToStandardError(message) }
      mailbox.post(.first(frame, told: message))
      // While the terminal draws it, and before the app carries out a line.
      app.keeper.save(app)
    }
  }

  @Sendable private static func logToStandardError(_ line: String) {
    ErrorLog.write("appcore: \(line)\n")
  }
}
