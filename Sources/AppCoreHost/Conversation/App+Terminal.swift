internal import AppCheck
@_spi(Host) internal import AppCore
internal import Navigation
internal import Sessions
internal import Shell
internal import Support

/// A rendered screen, for display on a terminal.
struct TerminalFrame: Sendable {
  /// The screen's number.
  ///
  /// In a line that was begun while this screen was shown, numbers refer to its controls.
  let number: Int
  let lines: [String]
  /// The identity of the instance that is shown.
  let owner: String
  /// Where the lines show what.
  let layout: ScreenLayout
  let isSettled: Bool
  /// The number of events in the journal when the screen was rendered; its notices report the last
  /// ones.
  let eventCount: Int
  /// Whether the screen has a secret field, so that a line that is typed may contain a secret.
  let asksForSecrets: Bool
}

/// The result of a line that was typed at a terminal.
struct TerminalReply: Sendable {
  let outcome: LineOutcome
  let frame: TerminalFrame
  /// Whether the line may be stored in the history.
  let mayRemember: Bool
}

// The operations of a terminal on an app.
extension App {
  /// The commands that a terminal carries out without the app.
  static let terminalCommands: Set<ShellCommand> = [.history, .again]

  /// Renders the current screen, with notices of the events after the first `count`.
  ///
  /// Lines may refer to the numbers of this screen from now on.
  ///
  /// - Parameters:
  ///   - count: the number of events that the user has been notified of.
  ///   - marksWork: whether the screen says that effects are running; if effects change the screen
  ///     frequently, that note would flicker.
  /// - Returns: the screen.
  func renderFrame(noticesAfter count: Int, marksWork: Bool = true) -> TerminalFrame {
    let isSettled = !marksWork || store?.activityAccount.isSettled ?? true
    let screen = shellScreen(notices: notices(after: count), isSettled: isSettled)
    let lines = session.frame(screen)
    // Before the user sees the screen, so that a crash loses nothing that was seen.
    saveSession()
    savePages()
    return TerminalFrame(
      number: session.screenNumber, lines: lines, owner: screen.owner, layout: session.layout,
      isSettled: isSettled,
      eventCount: state.journal.count, asksForSecrets: session.asksForSecrets)
  }

  /// Renders the first screen of a terminal.
  ///
  /// - Parameter limit: how long to wait for the screen to settle.
  /// - Returns: the screen, and a message about the restored or resumed session, if there is one.
  func renderFirstFrame(within limit: Duration) async -> (frame: TerminalFrame, told: String?) {
    guard !wasRestored else { return await renderRestoredFrame() }
    _ = await settle(within: limit)
    let frame = renderFrame(noticesAfter: seenEventCount)
    return (frame, appSession?.didShowFirstScreen())
  }

  private func renderRestoredFrame() async -> (frame: TerminalFrame, told: String?) {
    // Effects that features start again after a restore often finish at once.
    _ = await settle(within: .milliseconds(25))
    let count = seenEventCount
    seenEventCount = state.journal.count
    restorePages()
    let frame = renderFrame(noticesAfter: count)
    return (frame, appSession?.didShowFirstScreen())
  }

  /// Saves the current pages of lists in the session.
  private func savePages() {
    guard let appSession else { return }
    let pages = session.listPositions.compactMap { list, offset in
      InstanceID(text: list.owner).map {
        SavedConversation.Page(
          instance: $0, list: list.id, ordinal: list.ordinal, offset: offset)
      }
    }
    appSession.note { $0.pages = pages }
  }

  /// Restores the pages of lists that were shown when the previous process ended.
  private func restorePages() {
    session.restore(
      (appSession?.former.pages ?? []).compactMap { page in
        restoredIDs[page.instance].map {
          (ListKey(owner: "\($0)", id: page.list, ordinal: page.ordinal), page.offset)
        }
      })
  }

  /// Carries out a line that was typed at a terminal.
  ///
  /// - Parameters:
  ///   - bytes: the line without its newline.
  ///   - seen: the number of the screen that was shown when the line was begun; `nil` for the last
  ///     one.
  ///   - told: the number of events that the user has been notified of; the screen has notices of
  ///     later ones.
  ///   - limit: how long to wait for the screen to settle.
  /// - Returns: the result, with the new screen.
  func submit(
    _ bytes: [UInt8], seen: Int?, told: Int, within limit: Duration
  ) async -> TerminalReply {
    let mayRemember =
      !session.isInText
      && session.mayRemember(
        String(decoding: bytes, as: UTF8.self), on: shellScreen(notices: [], isSettled: true))
    if mayRemember { appSession?.note { $0.sentLine = String(decoding: bytes, as: UTF8.self) } }
    let outcome = await perform(bytes, seenScreen: seen, within: limit)
    let frame = await renderFrame(after: outcome, noticesAfter: told)
    if mayRemember { appSession?.note { $0.sentLine = nil } }
    return TerminalReply(outcome: outcome, frame: frame, mayRemember: mayRemember)
  }

  /// Carries out an answer to `prompt` that was typed at a terminal.
  ///
  /// - Parameters:
  ///   - bytes: the answer without its newline.
  ///   - prompt: the prompt that was shown.
  ///   - told: the number of events that the user has been notified of.
  ///   - limit: how long to wait for the screen to settle.
  /// - Returns: the result, with the new screen.
  func submit(
    _ bytes: [UInt8], to prompt: Prompt, told: Int, within limit: Duration
  ) async -> TerminalReply {
    let outcome = await perform(bytes, answering: prompt, within: limit)
    let frame = await renderFrame(after: outcome, noticesAfter: told)
    return TerminalReply(outcome: outcome, frame: frame, mayRemember: false)
  }

  /// Renders the screen after a line, once it has settled.
  private func renderFrame(
    after outcome: LineOutcome, noticesAfter count: Int
  ) async -> TerminalFrame {
    if let limit = outcome.settling { _ = await settle(within: limit) }
    return renderFrame(noticesAfter: count)
  }

  /// The completions of a line that begins with `head`, or of an answer if `prompt` is not `nil`.
  func completions(of head: String, answering prompt: Prompt?) -> CompletionList {
    let screen = shellScreen(notices: [], isSettled: true)
    guard let prompt else {
      return session.completions(of: head, on: screen, nouns: current.names.nouns)
    }
    return session.completions(of: head, answering: prompt, on: screen)
  }

  /// Abandons an unfinished text of several lines.
  func cancelText() { session.cancelText() }
}

extension ManifestNames {
  /// The codes at the end of messages.
  private static let codes = Explanation.rules.map {
    CompletionNouns.Noun($0.code, detail: $0.summary)
  }

  /// The names as the shell's completion takes them, with the codes of all rules.
  var nouns: CompletionNouns {
    CompletionNouns(
      links: links.map { .init($0.name, detail: $0.detail) },
      plugins: plugins.map { .init($0.name, detail: $0.detail) },
      codes: Self.codes)
  }
}
