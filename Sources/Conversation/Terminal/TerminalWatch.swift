internal import AppCoreHost
internal import CrashReporting
internal import Glibc
internal import Support

/// Reports to a conversation on a terminal: plugins that change, features that take long.
struct TerminalWatch: Sendable {
  let app: App
  let options: TerminalRunner.Options

  init(_ app: App, _ options: TerminalRunner.Options) {
    self.app = app
    self.options = options
  }

  /// Begins to tell of what does not need the app's thread; nothing is written but by whoever reads the
  /// mailbox.
  func begin(_ mailbox: Mailbox) {
    PluginOutput.tellTo { mailbox.post(.said("! " + $0)) }
    app.watchForBlocking(
      after: options.watchdog, endsAfter: options.hangLimit, { mailbox.post(.said("! " + $0)) },
      end: options.endHang)
  }

  /// Has the first screen made, and the message before it.
  func showFirst(in mailbox: Mailbox) {
    let watch = self
    Task {
      // Before: what is saved by somebody who has seen the screen is noticed.
      await watch.follow(mailbox)
      let first = await watch.app.lookFirst(within: EditedConversation.patience)
      mailbox.post(.first(first.frame, told: first.told))
    }
  }

  /// Begins to tell of plugins that change.
  private func follow(_ mailbox: Mailbox) async {
    await app.tellOfCompiling { mailbox.post(.compiling($0)) }
    guard options.followsPlugins else { return }
    let app = app
    do throws(FollowingError) {
      try await app.followFiles { change in
        guard change.outcome != .unchanged else { return }
        mailbox.post(.replaced(await mailbox.look(at: app)))
      }
    } catch {
      mailbox.post(.said("! \(error)"))
    }
  }

  /// What is said while a compiler works for a plugin.
  static func compiling(_ plugin: String) -> String { "compiling '\(SafeText.line(plugin))' …" }

  /// Ends all that was begun; an app that does not answer is not waited for.
  func end() {
    let (app, followsPlugins) = (app, options.followsPlugins)
    PluginOutput.tellTo { line in
      try? OutputWriter(descriptor: STDERR_FILENO, content: .text).write("appcore: \(line)\n")
    }
    app.watchForBlocking(after: nil) { _ in }
    Task {
      await app.tellOfCompiling(nil)
      if followsPlugins { try? await app.followFiles(nil) }
    }
  }
}

/// Counts Ctrl-C while the app hangs: the second one restores it without what it is doing.
struct HangInterrupts {
  private let app: App
  /// The piece of work that Ctrl-C was pressed at.
  private var interrupted: Int?

  init(_ app: App) { self.app = app }

  /// Ctrl-C was pressed.
  ///
  /// - Returns: the message to show; `nil` where the app answers, or nobody could restore it.
  mutating func press() -> String? {
    guard let hang = app.hang else {
      interrupted = nil
      return nil
    }
    guard interrupted == hang else {
      interrupted = hang
      return "Ctrl-C again restores the app without what it is doing."
    }
    app.end(hang: hang)
    return "restoring the app …"
  }
}
