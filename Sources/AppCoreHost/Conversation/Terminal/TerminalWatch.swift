internal import Glibc
internal import Supervision
internal import Support

/// Posts events of the app to a terminal's mailbox: reloads, output of plugins, and features that
/// block the app's thread.
struct TerminalWatch: Sendable {
  let app: App
  let options: TerminalRunner.Options

  init(_ app: App, _ options: TerminalRunner.Options) {
    self.app = app
    self.options = options
  }

  /// Starts posting plugins' output and reports of the watchdog, neither of which needs the app's
  /// thread.
  func begin(_ mailbox: Mailbox) {
    PluginOutput.setReceiver { mailbox.post(.report("! " + $0)) }
    app.watchForBlocking(
      after: options.watchdog, endsAfter: options.hangLimit, { mailbox.post(.report("! " + $0)) },
      end: options.endHang)
  }

  /// Starts following files, and posts the first screen with the message above it.
  func showFirst(in mailbox: Mailbox) {
    let watch = self
    Task {
      // Before the screen is shown: a file that the user saves after seeing it must be noticed.
      await watch.follow(mailbox)
      let (frame, message) = await watch.app.converse {
        await $0.firstFrame(of: $1, within: EditedConversation.timeout)
      }
      if let message { watch.log(message) }
      mailbox.post(.first(frame, told: message))
    }
  }

  /// Writes what the terminal shows of the previous process to standard error, too, if that is
  /// something else.
  private func log(_ line: String) {
    guard isatty(STDERR_FILENO) == 0 else { return }
    try? OutputWriter(descriptor: STDERR_FILENO, content: .text).write("appcore: \(line)\n")
  }

  /// Starts posting compilations and, if requested, reloads of changed files.
  private func follow(_ mailbox: Mailbox) async {
    await app.observeCompilation { mailbox.post(.compiling($0)) }
    guard options.followsPlugins else { return }
    let app = app
    do throws(FollowingError) {
      try await app.followFiles { change in
        guard change.outcome != .unchanged else { return }
        mailbox.post(.replaced(await mailbox.renderFrame(of: app)))
      }
    } catch {
      mailbox.post(.report("! \(error)"))
    }
  }

  /// The message while a plugin is being compiled.
  static func compiling(_ plugin: String) -> String { "compiling '\(SafeText.line(plugin))' …" }

  /// Stops posting, without waiting for an app whose thread is blocked.
  func end() {
    let (app, followsPlugins) = (app, options.followsPlugins)
    PluginOutput.setReceiver { line in
      try? OutputWriter(descriptor: STDERR_FILENO, content: .text).write("appcore: \(line)\n")
    }
    app.watchForBlocking(after: nil) { _ in }
    Task {
      await app.observeCompilation(nil)
      if followsPlugins { try? await app.followFiles(nil) }
    }
  }
}

/// Handles Ctrl-C while the app hangs: pressed twice during the same piece of work, it restores the
/// app without that work.
struct HangInterrupts {
  private let app: App
  /// The piece of work during which Ctrl-C was pressed last.
  private var interrupted: Int?

  init(_ app: App) { self.app = app }

  /// Handles a press of Ctrl-C.
  ///
  /// - Returns: the message to show; `nil` if the app does not hang, or no supervisor can restore
  ///   it.
  mutating func press() -> String? {
    guard let hang = app.watch.hang else {
      interrupted = nil
      return nil
    }
    guard interrupted == hang else {
      interrupted = hang
      return "Ctrl-C again restores the app without what it is doing."
    }
    app.watch.end(hang: hang)
    return "restoring the app …"
  }
}
