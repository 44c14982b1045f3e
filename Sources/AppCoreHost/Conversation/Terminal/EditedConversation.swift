internal import Glibc
internal import LineEditor
internal import Shell
internal import Support

/// A conversation on a terminal with a line editor, below a screen that is updated in place.
///
/// Only the thread that calls ``run()`` writes to the terminal, so output is never interleaved. It
/// waits for keys, signals and messages in the mailbox, whichever comes first. The app runs on
/// another thread, so keys are echoed at once, however busy the app is.
final class EditedConversation {
  let app: App
  let events = TerminalEvents(input: STDIN_FILENO)
  let mailbox: Mailbox
  let output = OutputWriter(content: .drawing)
  var display: TerminalDisplay
  var editor = LineEditor()
  var decoder = KeyDecoder()
  var history: TypedHistory
  var stage = Stage.line
  /// Keys that were typed ahead, each with the number of the screen that was shown then.
  var typeAhead: [(key: KeyPress, screen: Int)] = []
  /// The lines of a paste that have not been sent yet.
  var pasted: [String] = []
  /// The number of the screen that was shown when the line was begun; `nil` for an empty line.
  var seenScreen: Int?
  /// The number of lines that were sent, which tells late replies from the expected one.
  var sentCount = 0
  /// Whether completions were requested and have not arrived.
  private var isCompleting = false
  /// The task that carries out the last line.
  private var work: Task<Void, Never>?
  /// The task that abandons a text of several lines; later lines wait for it.
  private var cancelling: Task<Void, Never>?
  /// Follows the app's screens; `nil` before the first one is shown.
  var follower: Task<Void, Never>?
  private var interrupts: HangInterrupts
  /// The exit status; `nil` until the conversation ends.
  var status: Int32?
  /// Where the session is saved; `nil` if it is not saved.
  let session: AppSession?

  /// What the conversation waits for.
  enum Stage {
    /// A line.
    case line
    /// The next line of a text of several lines.
    case text
    /// The answer to a prompt.
    case answer(Prompt)
    /// The app, which carries out a line.
    case waiting
  }

  /// How long to wait for a screen to settle before it is shown as it is.
  static let timeout = Duration.milliseconds(400)

  let watch: TerminalWatch

  init(_ app: App, _ session: AppSession?, historyPath: String?, _ watch: TerminalWatch) {
    self.app = app
    self.session = session
    self.watch = watch
    interrupts = HangInterrupts(app)
    mailbox = Mailbox(events)
    display = TerminalDisplay(size: .of(StandardOutput.descriptor))
    history = TypedHistory(path: historyPath)
  }

  /// Runs the conversation until the user leaves.
  ///
  /// - Returns: the exit status.
  /// - Throws: `InputOutputError` if the terminal can't be written.
  func run() throws(InputOutputError) -> Int32 {
    events.beginNotices(interrupts: false)
    defer { events.endNotices() }
    TerminalModes.enter(.keys, input: STDIN_FILENO, output: StandardOutput.descriptor)
    defer { TerminalModes.restore() }
    SignalStack.give()
    editor.remember(history.lines)
    watch.begin(mailbox)
    session?.setReceiver { [mailbox] in mailbox.post(.report("! " + $0)) }
    defer {
      follower?.cancel()
      watch.end()
    }
    stage = .waiting
    try greet()
    while status == nil {
      keepLine()
      try paint()
      step(events.next(within: editor.awaitsCompletions ? 500 : decoder.timeout))
    }
    try output.write(display.leave(editor: isAsking ? editor.finalRows(size: display.size) : []))
    return status ?? 0
  }

  /// Whether the line editor is shown.
  private var isAsking: Bool { if case .waiting = stage { false } else { true } }

  /// Begins a stage: asks for its line, and sends the next line of a paste or, unless
  /// `keepingKeys`, handles the keys that were typed ahead.
  func begin(_ stage: Stage, keepingKeys: Bool = false) {
    self.stage = stage
    switch stage {
    case .line: editor.begin(LineEditor.Question(prompt: "> "))
    case .text: editor.begin(LineEditor.Question(prompt: "… ", usesHistory: false))
    case .answer(let prompt):
      editor.begin(
        LineEditor.Question(
          prompt: prompt.question + ": ", isSecret: prompt.isSecret, usesHistory: false))
    case .waiting: return
    }
    seenScreen = nil
    if let failure = history.takeFailure() { editor.message = failure }
    if !pasted.isEmpty { return send(pasted.removeFirst()) }
    if !keepingKeys { pressTypeAhead() }
  }

  /// Handles the keys that were typed ahead, up to one after which the app or completions are
  /// awaited.
  private func pressTypeAhead() {
    while !typeAhead.isEmpty, isAsking, !editor.awaitsCompletions, status == nil {
      let (key, screen) = typeAhead.removeFirst()
      press(key, screen: screen)
    }
  }

  private func step(_ event: TerminalEvents.Event) {
    switch event {
    case .bytes(let bytes): type(decoder.keys(bytes))
    case .timedOut:
      if editor.awaitsCompletions { editor.giveUpCompleting() }
      type(decoder.giveUpWaiting())
    case .end: status = 0
    case .resized: resize()
    case .continued: resume()
    case .interrupted: type([.control("c")])
    case .woken: break
    }
    for message in mailbox.collect() { read(message) }
    pressTypeAhead()
    askForCompletions()
  }

  private func type(_ keys: [KeyPress]) {
    for key in keys where status == nil {
      if !isAsking {
        pressWhileWaiting(key)
      } else if editor.awaitsCompletions || !typeAhead.isEmpty, key != .control("c") {
        // Keys that are typed after Tab belong after the completion.
        typeAhead.append((key, display.screenNumber))
      } else {
        press(key, screen: display.screenNumber)
      }
    }
  }

  /// Handles a key while the app works: it is kept for the next prompt, unless it interrupts, stops
  /// or ends the process.
  private func pressWhileWaiting(_ key: KeyPress) {
    switch key {
    case .control("c") where follower == nil: sayInterrupt()
    case .control("c"):
      work?.cancel()
      typeAhead = []
      pasted = []
      display.add(["^C"])
      sayInterrupt()
      begin(.line)
    case .control("z"): suspend()
    case .control("\\"): quit()
    default: if typeAhead.count < 100_000 { typeAhead.append((key, display.screenNumber)) }
    }
  }

  private func press(_ key: KeyPress, screen: Int) {
    if editor.isIdle { seenScreen = screen }
    let looksBack = key.code == .up || key == .control("p") || key == .control("r")
    if looksBack, editor.isIdle, history.refresh() { editor.remember(history.lines) }
    switch editor.press(key) {
    case .changed, .refused: break
    case .submitted(let line): submit(line)
    case .submittedLines(let lines):
      pasted = Array(lines.dropFirst())
      if let first = lines.first { send(first) }
    case .cancelled: cancel()
    case .ended: end()
    case .suspended: suspend()
    case .cleared: display.isCleared = true
    case .scrolled(let back): _ = display.scroll(back: back)
    case .quit: quit()
    }
  }

  private func cancel() {
    display.add(editor.finalRows(size: display.size, mark: "^C"))
    pasted = []
    typeAhead = []
    if case .text = stage {
      let app = app
      cancelling = Task {
        await app.converse { conversation, _ in conversation.session.cancelText() }
      }
    }
    sayInterrupt()
    begin(.line)
  }

  /// Shows what Ctrl-C does, if the app hangs.
  private func sayInterrupt() { if let text = interrupts.press() { display.add(lines: [text]) } }

  /// Ctrl-D on an empty line: leaves the app, or abandons the text or the answer.
  private func end() {
    if case .line = stage { status = 0 } else { cancel() }
  }

  private func submit(_ line: String) {
    display.add(editor.finalRows(size: display.size))
    sendQuietly(line)
  }

  /// Shows a pasted or repeated line as if it had been typed, and sends it.
  func send(_ line: String) {
    editor.begin(editor.question, text: line)
    seenScreen = display.screenNumber
    submit(line)
  }

  private func sendQuietly(_ line: String) {
    if case .line = stage, let command = terminalCommand(line) { return carryOut(command, line) }
    sentCount += 1
    let (app, mailbox, number, seen) = (app, mailbox, sentCount, seenScreen)
    let (timeout, told, cancelling) = (Self.timeout, display.seenEventCount, cancelling)
    let bytes = Array(line.utf8)
    mailbox.seenEventCount = told
    switch stage {
    case .answer(let prompt):
      work = Task {
        await cancelling?.value
        let reply = await app.converse {
          await $0.submit(bytes, to: prompt, noticesAfter: told, within: timeout, in: $1)
        }
        mailbox.post(.reply(number, "", reply))
      }
    case .line, .text, .waiting:
      work = Task {
        await cancelling?.value
        let reply = await app.converse {
          await $0.submit(bytes, seen: seen, noticesAfter: told, within: timeout, in: $1)
        }
        mailbox.post(.reply(number, line, reply))
      }
    }
    stage = .waiting
  }

  private func read(_ message: Mailbox.Message) {
    switch message {
    case .first(let frame, let told): begin(frame, told: told)
    case .frame(let frame), .settled(_, let frame), .replaced(let frame): display.update(frame)
    case .compiling(let plugin): display.status = plugin.map(TerminalWatch.compiling)
    case .report(let line): display.add(lines: TextLayout.wrap(line, to: display.size.columns))
    case .completions(let list):
      isCompleting = false
      editor.receive(list)
    case .reply(let number, let line, let reply):
      // Also for a line whose reply is no longer awaited: the user may want to repeat it.
      if reply.mayRemember { remember(line) }
      guard number == sentCount, case .waiting = stage else { return display.update(reply.frame) }
      take(reply)
    }
  }

  /// Adds a line to the history.
  func remember(_ line: String) {
    history.add(line)
    editor.remember(history.lines)
  }

  private func take(_ reply: TerminalReply) {
    let hidden = pasted.count
    switch reply.outcome.kind {
    case .quit: status = 0
    case .needsMoreLines:
      display.update(reply.frame)
      begin(.text)
    case .nothing:
      if display.isStale { display.show(reply.frame) } else { display.update(reply.frame) }
      begin(.line)
    case .prompt(let prompt):
      display.update(reply.frame)
      begin(.answer(prompt))
    case .refused:
      pasted = []
      display.update(reply.frame)
      display.add(lines: reply.outcome.output)
      if hidden > 0 {
        let lines = hidden == 1 ? "line" : "\(hidden) lines"
        display.add(lines: ["  the \(lines) after it \(hidden == 1 ? "was" : "were") not run"])
      }
      begin(.line)
    case .accepted where !reply.outcome.output.isEmpty:
      // A new screen below the output would scroll the output away.
      display.update(reply.frame)
      display.add(lines: reply.outcome.output)
      begin(.line)
    case .accepted:
      display.show(reply.frame)
      begin(.line)
      if !reply.frame.isSettled { watchWork() }
    }
  }

  /// Updates the screen when it has settled: effects may end without an action.
  func watchWork() {
    let (app, mailbox) = (app, mailbox)
    mailbox.marksWork = true
    Task {
      _ = await app.settle(within: .seconds(3600))
      mailbox.marksWork = false
      mailbox.post(.frame(await mailbox.renderFrame(of: app)))
    }
  }

  private func askForCompletions() {
    guard !isCompleting, isAsking, let head = editor.wantedCompletions else { return }
    isCompleting = true
    let (app, mailbox) = (app, mailbox)
    let prompt: Prompt? = if case .answer(let prompt) = stage { prompt } else { nil }
    Task {
      let list = await app.converse { $0.completions(of: head, answering: prompt, in: $1) }
      mailbox.post(.completions(list))
    }
  }

  private func paint() throws(InputOutputError) {
    let view = isAsking ? editor.view(size: display.size) : nil
    let text = display.paint(view)
    if !text.isEmpty { try output.write(text) }
  }
}
