internal import AppCheck
internal import FullScreen
internal import Navigation
internal import Sessions
internal import Shell
internal import Support

struct TerminalFrame: Sendable {
  /// The screen's number.
  ///
  /// In a line that was begun while this screen was shown, numbers refer to its controls.
  let number: Int
  let lines: [String]
  /// The screen full screen; `nil` if it is lines.
  var picture: Picture?
  let owner: String
  /// Where the lines show what.
  let layout: ScreenLayout
  let isSettled: Bool
  /// The number of events in the journal when the screen was rendered; its notices report the last
  /// ones.
  let eventCount: Int
  let privacy: LinePrivacy
  /// Whether a route has quit the app; the frame is not shown then.
  let isAfterQuitting: Bool
}

/// The lines that may contain a secret while they are typed.
enum LinePrivacy {
  case none
  /// Commands, one of which opens a link: a node takes a secret.
  case commands
  /// All of them: the screen has a secret field.
  case lines

  func covers(_ line: String) -> Bool {
    switch self {
    case .none: false
    case .commands: line.drop(while: \.isWhitespace).first == ":"
    case .lines: true
    }
  }
}

/// The reply to a line that was typed at a terminal, with the screen after it.
struct TerminalReply: Sendable {
  let reply: Reply
  let frame: TerminalFrame
  let remembered: String?
  /// A command that the terminal carries out, with the line that was typed full screen.
  var command: (command: Command, line: String)?
  /// The keys after that command.
  var rest: [SeenKey] = []

  /// Whether the screen is to be printed; it would scroll the output of a command away.
  var showsScreen: Bool {
    switch reply.outcome {
    case .accepted: reply.output.isEmpty
    case .refused: reply.settling != nil
    case .nothing, .needsMoreLines, .prompt, .quit: false
    }
  }
}

// The operations of a terminal.
extension Conversation {
  /// How long a terminal waits for a screen to settle before it is shown as it is.
  private static let terminalTimeout = Duration.milliseconds(400)

  /// Draws the current screen, with notices of the events after the first `count`.
  ///
  /// Lines may refer to the numbers of this screen from now on. If effects change the screen
  /// frequently, a note that they are running would flicker; so it says so only if `marksWork`.
  func frame(
    of app: isolated App, noticesAfter count: Int, marksWork: Bool = true
  ) -> TerminalFrame {
    if view != nil { return pictureFrame(of: app) }
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
      privacy: session.asksForSecrets ? .lines : app.graph.takesSecrets ? .commands : .none,
      isAfterQuitting: app.state.hasQuit)
  }

  /// Draws the first screen of a terminal, with a message about the restored or resumed session if
  /// there is one; the app is to be saved when it is shown.
  func firstFrame(
    of app: isolated App
  ) async -> (frame: TerminalFrame, message: String?) {
    let saved = app.keeper.session
    let wasRestored = saved?.image != nil
    // Effects that features start again after a restore often finish at once.
    _ = await app.settle(within: wasRestored ? .milliseconds(25) : Self.terminalTimeout)
    let count = seenEventCount
    if wasRestored {
      seenEventCount = app.state.journal.count
      restorePages(of: app.keeper)
      restorePlaces(of: app.keeper)
    }
    app.keeper.showsRestoredFirst = wasRestored
    defer { app.keeper.showsRestoredFirst = false }
    var frame = frame(of: app, noticesAfter: count)
    var message = saved?.didShowFirstScreen()
    if let text = saved?.former.textOpening {
      message?.append("; the lines of the text '\(text)' are lost")
      saved?.update { $0.textOpening = nil }
    }
    if let message, view != nil {
      view?.notices.append(Notice(message))
      frame = pictureFrame(of: app)
    }
    return (frame, message)
  }

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

  /// Carries out a line that was typed at a terminal, or the answer to a prompt, and draws the
  /// screen with notices of the events after the first `count`.
  func submit(
    _ event: LineReader.Event, answering prompt: Prompt?, seenScreen: Int?,
    noticesAfter count: Int, in app: isolated App
  ) async -> TerminalReply {
    var remembered: String?
    // Numbers in a line that is sent full screen are those of the screen as lines.
    if view != nil { _ = session.frame(screen(of: app)) }
    if case .line(let bytes) = event, prompt == nil, !session.isInText {
      let text = String(decoding: bytes, as: UTF8.self)
      if mayRemember(text, seenScreen: seenScreen, in: app) { remembered = text }
    }
    let saved = remembered == nil ? nil : app.keeper.session
    saved?.update { $0.sentLine = remembered }
    let reply = await perform(
      event, answering: prompt, seenScreen: seenScreen, within: Self.terminalTimeout, in: app)
    if let limit = reply.settling { _ = await app.settle(within: limit) }
    if view != nil { tell(reply) }
    app.keeper.session?.update { $0.textOpening = session.loggedText }
    let frame = frame(of: app, noticesAfter: count)
    saved?.update { $0.sentLine = nil }
    return TerminalReply(reply: reply, frame: frame, remembered: remembered)
  }

  /// Whether the line may be stored in a history: neither a screen nor a link makes it secret.
  func mayRemember(_ text: String, seenScreen: Int? = nil, in app: isolated App) -> Bool {
    if mayMisspellOpen(text, in: app) { return false }
    let parser = LineParser(supported: session.settings.commands)
    if case .command(.open(let link)) = try? parser.parse(text), !app.mayRecord(link: link) {
      return false
    }
    return session.mayRemember(text, on: screen(of: app), seenScreen: seenScreen)
  }

  /// What stands for a line that opens a link which may contain a secret.
  static let hiddenLink = ":open <secret>"

  /// What stands for a line in the log, the session and recordings, where it may contain a secret of a
  /// link; `nil` for the line itself.
  func standIn(
    for bytes: some Collection<UInt8>, _ intent: Intent, in app: isolated App
  ) -> String? {
    guard app.graph.takesSecrets else { return nil }
    switch intent {
    case .command(.open(let link)): return app.mayRecord(link: link) ? nil : Self.hiddenLink
    case .refused(let rejection) where rejection.rule == .badJSON: return "a JSON line"
    default:
      return mayMisspellOpen(String(decoding: bytes, as: UTF8.self), in: app) ? ": <secret>" : nil
    }
  }

  /// Whether the line, which may be in a JSON object, is a command that can't be read, in an app whose
  /// links may contain secrets.
  func mayMisspellOpen(_ text: String, in app: isolated App) -> Bool {
    let line = session.scriptLine(text.utf8) ?? text
    guard app.graph.takesSecrets, LinePrivacy.commands.covers(line) else { return false }
    return (try? LineParser(supported: session.settings.commands).parse(line)) == nil
  }

  /// The completions of a line that begins with `head`, or of an answer if `prompt` is not `nil`.
  func completions(
    of head: String, answering prompt: Prompt?, in app: isolated App
  ) -> CompletionList {
    let screen = screen(of: app)
    guard let prompt else {
      return session.completions(
        of: head, on: screen, nouns: ManifestNames(app.current.report.manifest).nouns)
    }
    return session.completions(of: head, answering: prompt, on: screen)
  }
}

extension ManifestNames {
  /// The codes at the end of messages.
  private static let codes: [CompletionNouns.Noun] = RuleGroup.rules.map { ($0.code, $0.summary) }

  /// The names as the shell's completion takes them, with the codes of all rules.
  fileprivate var nouns: CompletionNouns {
    CompletionNouns(
      links: links.map { ($0.name, $0.detail) }, plugins: plugins.map { ($0.name, $0.detail) },
      codes: Self.codes)
  }
}
