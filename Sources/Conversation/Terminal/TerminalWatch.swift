internal import AppCoreHost
internal import Support

/// What a conversation on a terminal is told unasked: plugins that change, features that take long.
struct TerminalWatch: Sendable {
  let app: App
  let followsPlugins: Bool
  let watchdog: Duration?

  init(_ app: App, followsPlugins: Bool, watchdog: Duration?) {
    self.app = app
    self.followsPlugins = followsPlugins
    self.watchdog = watchdog
  }

  /// Begins to tell; nothing is written but by whoever reads the mailbox.
  func begin(_ mailbox: Mailbox) {
    let app = app
    app.watchForBlocking(after: watchdog) { mailbox.post(.said("! " + $0)) }
    waitFor { await app.tellOfCompiling { mailbox.post(.compiling($0)) } }
    guard followsPlugins else { return }
    let problem = waitFor { () -> FollowingError? in
      do throws(FollowingError) {
        try await app.followPlugins { change in
          guard change.outcome != .unchanged else { return }
          mailbox.post(.replaced(await mailbox.look(at: app)))
        }
        return nil
      } catch {
        return error
      }
    }
    if let problem { mailbox.post(.said("! \(problem)")) }
  }

  /// What is said while a compiler works for a plugin.
  static func compiling(_ plugin: String) -> String { "compiling '\(SafeText.line(plugin))' …" }

  /// Ends all that was begun.
  func end() {
    let app = app
    app.watchForBlocking(after: nil) { _ in }
    waitFor { await app.tellOfCompiling(nil) }
    if followsPlugins { waitFor { try? await app.followPlugins(nil) } }
  }
}
