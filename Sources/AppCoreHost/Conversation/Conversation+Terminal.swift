internal import AppCheck
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

// The operations of a terminal.
extension Conversation {
  /// Draws the current screen, with notices of the events after the first `count`.
  ///
  /// Lines may refer to the numbers of this screen from now on. If effects change the screen
  /// frequently, a note that they are running would flicker; so it says so only if `marksWork`.
  func frame(
    of app: isolated App, noticesAfter count: Int, marksWork: Bool = true
  ) -> TerminalFrame {
    let isSettled = !marksWork || app.isSettled
    let screen = screen(
      of: app, notices: notices(after: count, in: app), isSettled: isSettled)
    let lines = session.frame(screen)
    // Before the user sees the screen, so that a crash loses nothing that was seen.
    app.keeper.save(app)
    savePages(in: app.keeper.session)
    return TerminalFrame(
      number: session.screenNumber, lines: lines, owner: screen.owner, layout: session.layout,
      isSettled: isSettled, eventCount: app.state.journal.count,
      asksForSecrets: session.asksForSecrets)
  }

  /// Draws the first screen of a terminal, which settles for `limit` at most.
  ///
  /// - Returns: the screen, and a message about the restored or resumed session, if there is one.
  func firstFrame(
    of app: isolated App, within limit: Duration
  ) async -> (frame: TerminalFrame, message: String?) {
    let saved = app.keeper.session
    let wasRestored = saved?.image != nil
    // Effects that features start again after a restore often finish at once.
    _ = await app.settle(within: wasRestored ? .milliseconds(25) : limit)
    let count = seenEventCount
    if wasRestored {
      seenEventCount = app.state.journal.count
      restorePages(of: app.keeper)
    }
    let frame = frame(of: app, noticesAfter: count)
    return (frame, saved?.didShowFirstScreen())
  }

  /// Saves the current pages of lists in the session.
  private func savePages(in saved: AppSession?) {
    guard let saved else { return }
    let pages = session.listPositions.compactMap { list, offset in
      InstanceID(text: list.owner).map {
        SavedConversation.Page(
          instance: $0, list: list.id, ordinal: list.ordinal, offset: offset)
      }
    }
    saved.update { $0.pages = pages }
  }

  /// Restores the pages of lists that were shown when the previous process ended.
  private func restorePages(of keeper: SessionKeeper) {
    session.restore(
      (keeper.session?.former.pages ?? []).compactMap { page in
        keeper.restoredIDs[page.instance].map {
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
  ///   - count: the number of events that the user has been notified of; the screen has notices of
  ///     later ones.
  ///   - limit: how long to wait for the screen to settle.
  ///   - app: the app.
  /// - Returns: the result, with the new screen.
  func submit(
    _ bytes: [UInt8], seen: Int?, noticesAfter count: Int, within limit: Duration,
    in app: isolated App
  ) async -> TerminalReply {
    let text = String(decoding: bytes, as: UTF8.self)
    let mayRemember =
      !session.isInText && session.mayRemember(text, on: screen(of: app))
    let saved = mayRemember ? app.keeper.session : nil
    saved?.update { $0.sentLine = text }
    let outcome = await perform(bytes, seenScreen: seen, within: limit, in: app)
    let frame = await frame(after: outcome, noticesAfter: count, of: app)
    saved?.update { $0.sentLine = nil }
    return TerminalReply(outcome: outcome, frame: frame, mayRemember: mayRemember)
  }

  /// Carries out an answer to a prompt, like a line.
  func submit(
    _ bytes: [UInt8], to prompt: Prompt, noticesAfter count: Int, within limit: Duration,
    in app: isolated App
  ) async -> TerminalReply {
    let outcome = await perform(bytes, answering: prompt, within: limit, in: app)
    let frame = await frame(after: outcome, noticesAfter: count, of: app)
    return TerminalReply(outcome: outcome, frame: frame, mayRemember: false)
  }

  /// Draws the screen after a line, once it has settled.
  private func frame(
    after outcome: LineOutcome, noticesAfter count: Int, of app: isolated App
  ) async -> TerminalFrame {
    if let limit = outcome.settling { _ = await app.settle(within: limit) }
    return frame(of: app, noticesAfter: count)
  }

  /// The completions of a line that begins with `head`, or of an answer if `prompt` is not `nil`.
  func completions(
    of head: String, answering prompt: Prompt?, in app: isolated App
  ) -> CompletionList {
    let screen = screen(of: app)
    guard let prompt else {
      return session.completions(of: head, on: screen, nouns: app.current.names.nouns)
    }
    return session.completions(of: head, answering: prompt, on: screen)
  }
}

extension ManifestNames {
  /// The codes at the end of messages.
  private static let codes = RuleGroup.rules.map {
    CompletionNouns.Noun($0.code, detail: $0.summary)
  }

  /// The names as the shell's completion takes them, with the codes of all rules.
  fileprivate var nouns: CompletionNouns {
    CompletionNouns(
      links: links.map { .init($0.name, detail: $0.detail) },
      plugins: plugins.map { .init($0.name, detail: $0.detail) },
      codes: Self.codes)
  }
}
