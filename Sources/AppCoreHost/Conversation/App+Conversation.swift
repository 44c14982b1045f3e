public import AppCheck
package import Sessions
public import Shell
internal import Support

// The conversation with an app.
extension App {
  /// The commands that an app can carry out.
  public static let commands = Set(ShellCommand.all).subtracting(Conversation.terminalCommands)

  /// Loads a manifest, shows its start node, and waits until the app has settled, for ``timeout``
  /// at most.
  ///
  /// - Returns: an app that is running, with a conversation.
  /// - Throws: ``AppLoadError`` with every problem of the manifest and its plugins.
  public static func launch(
    _ manifest: String, options: AppOptions = AppOptions()
  ) async throws(AppLoadError) -> App {
    let app = App(try LoadedApp.load(manifest, options: options))
    try await app.begin()
    await app.converse()
    _ = await app.settle(within: Self.timeout)
    return app
  }

  /// Begins a conversation; its lines can't refer to screens of an earlier one.
  public func converse(_ settings: SessionSettings = SessionSettings()) {
    conversation.begin(settings)
  }

  /// Runs `body` with the conversation, on the app's thread.
  func converse<Result: Sendable>(
    _ body: @Sendable (Conversation, isolated App) async -> Result
  ) async -> Result { await body(conversation, self) }

  /// The lines of a script that repeats a recording, which the app shows; without newlines.
  package func script(of recording: Recording) -> [String] {
    conversation.script(of: recording, in: self)
  }

  /// Changes the size of later screens, in columns and rows; the rows count only in a window.
  public func resize(to width: Int, rows: Int? = nil) {
    conversation.session.settings.width = width
    if conversation.session.settings.windowRows != nil, let rows {
      conversation.session.settings.windowRows = rows
    }
  }

  /// Waits until the screen has settled, for `limit` at most, and renders it as lines without
  /// newlines.
  public func show(within limit: Duration = App.timeout) async -> [String] {
    await conversation.show(within: limit, of: self)
  }

  /// Renders the current screen; numbers in later lines refer to its controls.
  ///
  /// Events of the journal after the first `count` are shown as notices.
  public func readScreen(noticesAfter count: Int) -> ScreenReading {
    conversation.read(noticesAfter: count, of: self)
  }

  /// Carries out a line, and renders the new screen.
  ///
  /// - Parameters:
  ///   - bytes: the line without its newline.
  ///   - number: the line's number in a script, counted from 1, for messages and the log.
  ///   - seenScreen: the number of the screen that was shown when the line was begun; `nil` for the
  ///     last one.
  ///   - limit: how long to wait for the screen to settle; `nil` for ``timeout``, or the time that
  ///     an earlier `:wait` has set.
  /// - Returns: the result, and what to print.
  public func send(
    line bytes: [UInt8], number: Int? = nil, seenScreen: Int? = nil,
    within limit: Duration? = nil
  ) async -> Reply {
    await conversation.shown(
      conversation.perform(
        .line(bytes), number: number, seenScreen: seenScreen, within: limit, in: self), in: self)
  }

  /// Carries out a line, and renders the new screen.
  public func send(line: String) async -> Reply { await send(line: Array(line.utf8)) }

  /// Carries out the answer to a prompt, and renders the new screen.
  ///
  /// The answer has no newline and is taken literally; `limit` is as for
  /// ``send(line:number:seenScreen:within:)``.
  public func answer(
    _ prompt: Prompt, with bytes: [UInt8], within limit: Duration? = nil
  ) async -> Reply {
    await conversation.shown(
      conversation.perform(.line(bytes), answering: prompt, within: limit, in: self), in: self)
  }
}

/// The result of a line, with everything to print.
public struct Reply: Sendable {
  public enum Outcome: Sendable {
    /// The line was carried out; ``Reply/screen`` is the new screen.
    case accepted
    /// The line was blank or a comment: there is nothing to print.
    case nothing
    /// The line is part of a text of several lines that is not complete.
    case needsMoreLines
    /// The line was rejected; ``Reply/output`` says why. The code is that of the broken rule.
    case refused(code: String)
    /// The line needs a value: ask for it, and pass it to ``App/answer(_:with:within:)``.
    case prompt(Prompt)
    /// The user leaves the app, or the input has ended.
    case quit
  }

  public let outcome: Outcome
  /// The lines that a command printed, or that say why the line was rejected; without newlines.
  public let output: [String]
  /// The lines of the new screen, without newlines; empty if nothing can have changed.
  public internal(set) var screen: [String] = []
  /// Why the line was rejected, on one line, without a symbol or the code; `nil` if it was not.
  public let reason: String?

  /// Everything to print for a script.
  public var lines: [String] { output + screen }

  /// How long to wait for the screen to settle before it is shown; `nil` if no screen is shown
  /// because nothing can have changed.
  let settling: Duration?

  init(
    _ outcome: Outcome, output: [String] = [], reason: String? = nil, settling: Duration? = nil
  ) {
    self.outcome = outcome
    self.output = output
    self.reason = reason
    self.settling = settling
  }

  public var isRefused: Bool {
    if case .refused = outcome { true } else { false }
  }
}
