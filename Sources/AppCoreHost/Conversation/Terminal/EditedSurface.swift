internal import Glibc
internal import LineEditor
internal import Sessions
internal import Shell
internal import Supervision
internal import Support

/// A terminal with a line editor, below a screen that is updated in place.
final class EditedSurface: Surface {
  private let events: TerminalEvents
  private let mailbox: Mailbox
  private let output = OutputWriter(content: .drawing)
  private var display = TerminalDisplay(size: .of(StandardOutput.descriptor))
  private var editor = LineEditor()
  private var decoder = KeyDecoder()
  private let history: TypedHistory
  var stage = TerminalStage.app
  /// Keys that were read and not handled yet, each with the number of the screen that was shown
  /// then.
  private var keys: ArraySlice<SeenKey> = []
  /// Keys that were typed ahead, in the same way.
  private var typeAhead: ArraySlice<SeenKey> = []
  /// The lines of a paste that have not been sent yet.
  private var pasted: ArraySlice<String> = []
  /// When completions are not awaited any more, in nanoseconds.
  private var completionDeadline: Int?
  /// How long completions are awaited, in nanoseconds.
  private static let completionLimit = 500_000_000
  /// The number of the screen that was shown when the line was begun; `nil` for an empty line.
  private var seenScreen: Int?
  /// Whether completions were requested and have not arrived.
  private var isCompleting = false
  /// Where the line is saved that is being typed; `nil` if it is not saved.
  private let session: AppSession?
  /// Whether the first screen is shown.
  private var hasBegun = false
  /// Whether the line that was half-typed in the previous process is typed in the first one.
  private let offersFormerLine: Bool
  /// The line that was being typed in the previous process, until it is asked for again.
  private var formerLine: (text: String, cursor: Int)?

  init(
    _ events: TerminalEvents, _ mailbox: Mailbox, _ session: AppSession?, _ history: TypedHistory,
    offersFormerLine: Bool
  ) {
    self.events = events
    self.mailbox = mailbox
    self.session = session
    self.history = history
    self.offersFormerLine = offersFormerLine
  }

  private(set) var seenEventCount = 0
  var screenNumber: Int? { display.screenNumber }

  func open(greeting: [String]?) throws(InputOutputError) {
    events.beginNotices(interrupts: false)
    TerminalModes.enter(.keys, input: STDIN_FILENO, output: StandardOutput.descriptor)
    if let greeting {
      display.add(lines: greeting)
    } else {
      // The output of the previous process may have ended in the middle of a line.
      try output.write("\n")
    }
  }

  func leave() throws(InputOutputError) {
    dropPasted()
    try output.write(display.leave(editor: unsentRows))
  }

  /// The rows of the line that is being typed, as it stays on the terminal; a line that was sent is
  /// there already.
  private var unsentRows: [String] { stage.isApp ? [] : editor.finalRows(size: display.size) }

  /// Says which lines of a paste are not sent any more, if there are any.
  private func dropPasted() {
    guard !pasted.isEmpty else { return }
    let (count, lines) = (pasted.count, pasted.count == 1 ? "line" : "\(pasted.count) lines")
    display.add(lines: ["  the \(lines) after it \(count == 1 ? "was" : "were") not run"])
    pasted = []
  }

  func close() {
    TerminalModes.restore()
    events.endNotices()
  }

  func next() throws(InputOutputError) -> TerminalInput {
    // Not later: the screens of messages that are collected after the input are not painted yet.
    seenEventCount = display.seenEventCount
    if !stage.isApp, let line = pasted.popFirst() { return sendAsTyped(line) }
    if let input = handleKeys() { return input }
    requestCompletions()
    saveLine()
    try paint()
    // Completions that are newly awaited have their time from now on.
    let completionEnd = completionDeadline ?? MonotonicTime.now() + Self.completionLimit
    completionDeadline = editor.awaitsCompletions ? completionEnd : nil
    switch events.next(until: [decoder.deadline, completionDeadline]) {
    case .bytes(let bytes): take(decoder.keys(bytes))
    case .timedOut:
      if let end = completionDeadline, end <= MonotonicTime.now() { editor.giveUpCompleting() }
      take(decoder.overdueKeys())
    case .end: return .closed
    case .notice(.resized): resize()
    case .notice(.continued): resume()
    case .notice(.interrupted): take([.control("c")])
    case .woken: break
    }
    return handleKeys() ?? .nothing
  }

  private func take(_ read: [KeyPress]) { keys += read.map { ($0, display.screenNumber) } }

  /// Handles keys, those that were typed ahead first, up to one after which the app or completions
  /// are awaited.
  private func handleKeys() -> TerminalInput? {
    while !stage.isApp, !editor.awaitsCompletions, let (key, screen) = typeAhead.popFirst() {
      if let input = press(key, screen: screen) { return input }
    }
    while let (key, screen) = keys.popFirst() {
      if stage.isApp {
        if let input = pressWhileWaiting(key, screen: screen) { return input }
      } else if editor.awaitsCompletions || !typeAhead.isEmpty, key != .control("c") {
        // Keys that are typed after Tab belong after the completion.
        typeAhead.append((key, screen))
      } else if let input = press(key, screen: screen) {
        return input
      }
    }
    return nil
  }

  /// Handles a key while the app works: it is kept for the next prompt, unless it interrupts, stops
  /// or ends the process.
  private func pressWhileWaiting(_ key: KeyPress, screen: Int) -> TerminalInput? {
    switch key {
    case .control("c"): return .cancelled
    case .control("z"): suspend()
    case .control("\\"): if mailbox.mayLeave { quit() }
    default: if typeAhead.count < 100_000 { typeAhead.append((key, screen)) }
    }
    return nil
  }

  private func press(_ key: KeyPress, screen: Int) -> TerminalInput? {
    if editor.isIdle { seenScreen = screen }
    let looksBack = key.code == .up || key == .control("p") || key == .control("r")
    if looksBack, editor.isIdle, history.refresh() { rememberHistory() }
    switch editor.press(key) {
    case .changed, .refused: break
    case .submitted(let line): return send(line)
    case .submittedLines(let lines):
      pasted = lines.dropFirst()
      if let first = lines.first { return sendAsTyped(first) }
    case .cancelled: return .cancelled
    case .ended: return .ended
    case .suspended: suspend()
    case .cleared: display.isCleared = true
    case .scrolled(let back): display.scroll(back: back)
    case .quit: if mailbox.mayLeave { quit() }
    }
    return nil
  }

  private func send(_ line: String) -> TerminalInput {
    display.add(editor.finalRows(size: display.size))
    return .line(.line(Array(line.utf8)), seenScreen: seenScreen)
  }

  private func sendAsTyped(_ line: String) -> TerminalInput {
    editor.begin(editor.question, text: line)
    seenScreen = display.screenNumber
    return send(line)
  }

  func echo(_ line: String) { _ = sendAsTyped(line) }

  func ask(remark: String?) {
    rememberHistory()
    switch stage {
    case .line:
      editor.begin(LineEditor.Question(prompt: stage.prompt), text: formerLine?.text ?? "")
    case .text, .answer:
      editor.begin(
        LineEditor.Question(
          prompt: stage.prompt, isSecret: stage.asksForSecret, usesHistory: false))
    case .app: return
    }
    seenScreen = nil
    if let formerLine {
      editor.moveCursor(to: formerLine.cursor)
      seenScreen = display.screenNumber
    }
    formerLine = nil
    if let remark { editor.message = remark }
  }

  func cancel(telling message: String?) {
    display.add(stage.isApp ? ["^C"] : editor.finalRows(size: display.size, mark: "^C"))
    pasted = []
    typeAhead = []
    if let message { display.add(lines: [message]) }
  }

  private func requestCompletions() {
    guard !isCompleting, !stage.isApp, let head = editor.wantedCompletions else { return }
    isCompleting = true
    let prompt: Prompt? = if case .answer(let prompt) = stage { prompt } else { nil }
    mailbox.postCompletions(of: head, answering: prompt)
  }

  func receive(_ completions: CompletionList) {
    isCompleting = false
    editor.receive(completions)
  }

  func rememberHistory() { editor.remember(history.lines) }

  /// Saves the line that is being typed in the session.
  private func saveLine() {
    guard let session, hasBegun else { return }
    let (line, cursor) = if case .line = stage { (editor.text, editor.cursor) } else { ("", 0) }
    let isPrivate = display.privacy.covers(line)
    session.update { $0.type(line, cursor: cursor, isPrivate: isPrivate) }
  }

  private func paint() throws(InputOutputError) {
    let text = display.paint(stage.isApp ? nil : editor.view(size: display.size))
    if !text.isEmpty { try output.write(text) }
  }

  func show(first frame: TerminalFrame, telling message: String?) {
    hasBegun = true
    if let message { display.add(lines: wrapped(message) + [""]) }
    display.show(frame)
    // Keys that were typed before this screen was shown refer to it.
    typeAhead = typeAhead.map { ($0.key, frame.number) }[...]
    keys = keys.map { ($0.key, frame.number) }[...]
    if offersFormerLine, let former = session?.image?.conversation, !former.line.isEmpty {
      formerLine = (former.line, former.cursor)
    }
  }

  func show(_ reply: TerminalReply) {
    switch reply.reply.outcome {
    case .accepted where reply.showsScreen: display.show(reply.frame)
    case .nothing where display.isStale: display.show(reply.frame)
    default: display.update(reply.frame)
    }
    // Without output the rows don't change, and none has to go into the scrollback.
    if !reply.reply.output.isEmpty { display.add(lines: reply.reply.output) }
    if reply.reply.isRefused { dropPasted() }
  }

  func update(_ frame: TerminalFrame) {
    // One that was drawn full screen has no lines.
    guard frame.picture == nil else { return }
    display.update(frame)
  }

  func print(_ lines: [String]) { display.add(lines: lines) }

  func report(_ line: String) { display.add(lines: wrapped(line)) }

  private func wrapped(_ line: String) -> [String] {
    TextLayout.wrap(line, to: display.size.columns)
  }

  func show(status: String?) { display.status = status }

  func removeKeys() -> [SeenKey] {
    defer { (keys, typeAhead) = ([], []) }
    return Array(typeAhead + keys)
  }

  func type(_ keys: [SeenKey]) { typeAhead = keys + typeAhead }

  private func resize() {
    let size = TerminalSize.of(StandardOutput.descriptor)
    guard size != display.size else { return }
    display.resize(size)
    mailbox.resize(redraws: true)
  }

  /// Ctrl-Z: restores the terminal and stops the process group; takes the terminal over again when
  /// the process continues.
  private func suspend() {
    guard mailbox.mayLeave else { return }
    try? output.write(display.leave(editor: unsentRows))
    TerminalModes.restore()
    events.stopJob()
    resume()
  }

  /// Takes the terminal over again, and redraws everything.
  private func resume() {
    TerminalModes.enter(.keys, input: STDIN_FILENO, output: StandardOutput.descriptor)
    resize()
    display.redraw()
  }
}
