internal import AppCheck
@_spi(Host) internal import AppCore
internal import AppCoreHost
internal import Diagnostics
internal import Navigation
internal import Sessions
internal import Shell
internal import Support

/// A screen that a terminal shows.
struct ShownFrame: Sendable {
  /// What lines mean by a number, if they were begun while it showed.
  let number: Int
  let lines: [String]
  let isSettled: Bool
  /// How many events there were: its notices tell of the last of them.
  let eventCount: Int
  /// Whether a line that is typed at it may hold a secret.
  let asksForSecrets: Bool
}

/// What became of a line that was typed on a terminal.
struct TerminalReply: Sendable {
  let outcome: LineOutcome
  let frame: ShownFrame
  /// Whether the line may be kept in a history.
  let mayRemember: Bool
}

// What a terminal asks of an app.
extension App {
  /// The commands that a terminal carries out by itself.
  static let terminalCommands: Set<CommandName> = [.history, .again]

  /// The screen as it is now, with what happened after the first `count` events.
  ///
  /// - Parameters:
  ///   - count: how many events have been shown.
  ///   - marksWork: whether the screen says so where effects are at work; one that updates the
  ///     screen again and again would make it flicker.
  /// - Returns: the screen; lines may mean its numbers from now on.
  func look(noticesAfter count: Int, marksWork: Bool = true) -> ShownFrame {
    let isSettled = !marksWork || store?.activityAccount?.isSettled ?? true
    let lines = session.frame(shellScreen(notices: notices(after: count), isSettled: isSettled))
    // Before it is seen: what was seen is not lost.
    saveSession()
    savePages()
    return ShownFrame(
      number: session.screenNumber, lines: lines, isSettled: isSettled,
      eventCount: state.journal.count, asksForSecrets: session.asksForSecrets)
  }

  /// The first screen of a terminal, and the message about the process before this one.
  func lookFirst(within limit: Duration) async -> (frame: ShownFrame, told: String?) {
    guard !goesOn else { return await lookAgain() }
    _ = await settle(within: limit)
    let frame = look(noticesAfter: toldCount)
    return (frame, outliving?.firstScreenShows())
  }

  private func lookAgain() async -> (frame: ShownFrame, told: String?) {
    // What a feature continues with is often there at once.
    _ = await settle(within: .milliseconds(25))
    let count = toldCount
    toldCount = state.journal.count
    restorePages()
    let frame = look(noticesAfter: count)
    return (frame, outliving?.firstScreenShows())
  }

  /// Writes down which pages of lists show.
  private func savePages() {
    guard let outliving else { return }
    let pages = session.listPlaces.compactMap { place in
      InstanceID(text: place.owner).map {
        SavedConversation.Page(
          instance: $0.number, list: place.id, ordinal: place.ordinal, offset: place.offset)
      }
    }
    outliving.note { $0.pages = pages }
  }

  /// Shows the pages of lists that showed when the process before this one ended.
  private func restorePages() {
    session.restore(
      (outliving?.former.pages ?? []).compactMap { page in
        formerIDs[page.instance].map {
          ListPlace(
            owner: "\($0)", id: page.list, ordinal: page.ordinal, offset: page.offset)
        }
      })
  }

  /// Carries out a line that was begun while the screen `seen` showed.
  ///
  /// - Parameters:
  ///   - bytes: the line without its newline.
  ///   - seen: the number of that screen.
  ///   - told: how many events the person has seen notices of; later ones are shown now.
  ///   - limit: how long to wait for the screen to settle.
  /// - Returns: what became of it.
  func submit(
    _ bytes: [UInt8], seen: Int?, told: Int, within limit: Duration
  ) async -> TerminalReply {
    let mayRemember =
      !session.isInText
      && session.mayRemember(
        String(decoding: bytes, as: UTF8.self), on: shellScreen(notices: [], isSettled: true))
    if mayRemember { outliving?.note { $0.sentLine = String(decoding: bytes, as: UTF8.self) } }
    let outcome = await perform(bytes, seenScreen: seen, within: limit)
    let frame = await look(at: outcome, noticesAfter: told)
    if mayRemember { outliving?.note { $0.sentLine = nil } }
    return TerminalReply(outcome: outcome, frame: frame, mayRemember: mayRemember)
  }

  /// Hands over an answer of a terminal.
  func submit(
    _ bytes: [UInt8], to prompt: Prompt, told: Int, within limit: Duration
  ) async -> TerminalReply {
    let outcome = await perform(bytes, answering: prompt, within: limit)
    let frame = await look(at: outcome, noticesAfter: told)
    return TerminalReply(outcome: outcome, frame: frame, mayRemember: false)
  }

  /// The screen that a line has led to, once it has settled.
  private func look(at outcome: LineOutcome, noticesAfter count: Int) async -> ShownFrame {
    if let limit = outcome.settling { _ = await settle(within: limit) }
    return look(noticesAfter: count)
  }

  /// How a line may continue, or an answer where somebody is asked.
  func completions(of head: String, answering prompt: Prompt?) -> CompletionList {
    let screen = shellScreen(notices: [], isSettled: true)
    guard let prompt else {
      return session.completions(of: head, on: screen, nouns: current.names.nouns)
    }
    return session.completions(of: head, answering: prompt, on: screen)
  }

  /// Gives up a text of several lines.
  func cancelText() { session.cancelText() }
}

extension ManifestNames {
  /// The codes that messages end with.
  private static let codes = Explanation.rules.map {
    CompletionNouns.Noun($0.code, detail: $0.summary)
  }

  /// The same for the shell's own completion.
  var nouns: CompletionNouns {
    CompletionNouns(
      links: links.map { .init($0.name, detail: $0.detail) },
      plugins: plugins.map { .init($0.name, detail: $0.detail) },
      codes: Self.codes)
  }
}
