internal import AppCoreHost
internal import Glibc
internal import LineEditor
internal import Shell
internal import Support

/// A conversation on a terminal that can be drawn on: a line that is edited, under a screen that
/// changes while it is typed.
///
/// One thread owns the terminal and is the only one that writes to it, so that nothing is torn. It
/// waits for keys, signals and letters of tasks, whichever comes first; the app works elsewhere, so
/// that a key is shown at once however busy the app is.
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
  /// Keys that were typed while the app worked, with the screen that showed then.
  var ahead: [(key: KeyPress, screen: Int)] = []
  /// Lines of a paste that are still to be run.
  var pasted: [String] = []
  /// The screen that showed before the line's first key.
  var seenScreen: Int?
  /// How many lines were sent; tells late replies from the one that is waited for.
  var sentCount = 0
  private var isCompleting = false
  /// The work that is waited for.
  private var work: Task<Void, Never>?
  /// Gives up a text of several lines: what is sent after it comes after it.
  private var cancelling: Task<Void, Never>?
  /// Follows the app's screens; `nil` before the first one shows.
  var follower: Task<Void, Never>?
  private var interrupts: HangInterrupts
  var status: Int32?
  /// What outlives the process; `nil` where nothing does.
  let session: AppSession?

  /// What is in progress.
  enum Stage {
    /// A line is typed.
    case line
    /// A line of a text of several lines is typed.
    case text
    /// A value is asked for.
    case answer(Prompt)
    /// The app carries out what was sent.
    case waiting
  }

  /// How long a person is left without an answer.
  static let patience = Duration.milliseconds(400)

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

  /// Converses until the person leaves; gives the exit status.
  func run() throws(InputOutputError) -> Int32 {
    events.beginNotices(interrupts: false)
    defer { events.endNotices() }
    TerminalModes.enter(.keys, input: STDIN_FILENO, output: StandardOutput.descriptor)
    defer { TerminalModes.restore() }
    SignalStack.give()
    editor.remember(history.lines)
    watch.begin(mailbox)
    defer {
      follower?.cancel()
      watch.end()
    }
    stage = .waiting
    try greet()
    while status == nil {
      keepLine()
      try paint()
      step(events.next(within: editor.awaitsCompletions ? 500 : decoder.patience))
    }
    try output.write(display.leave(editor: isAsking ? editor.finalRows(size: display.size) : []))
    return status ?? 0
  }

  private var isAsking: Bool { if case .waiting = stage { false } else { true } }

  /// Asks for a line; keys that have waited are pressed, unless somebody does that later.
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
    if let failure = history.takeFailure() { editor.tell(failure) }
    if !pasted.isEmpty { return send(pasted.removeFirst()) }
    if !keepingKeys { pressAhead() }
  }

  /// Presses the keys that have waited, up to the next that has to be waited for.
  private func pressAhead() {
    while !ahead.isEmpty, isAsking, !editor.awaitsCompletions, status == nil {
      let (key, screen) = ahead.removeFirst()
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
    for letter in mailbox.collect() { read(letter) }
    pressAhead()
    askForCompletions()
  }

  private func type(_ keys: [KeyPress]) {
    for key in keys where status == nil {
      if !isAsking {
        typeAhead(key)
      } else if editor.awaitsCompletions || !ahead.isEmpty, key != .control("c") {
        // What is typed behind Tab belongs behind what it completes.
        ahead.append((key, display.screenNumber))
      } else {
        press(key, screen: display.screenNumber)
      }
    }
  }

  /// A key while the app works: it waits for the prompt, but for those that end the waiting.
  private func typeAhead(_ key: KeyPress) {
    switch key {
    case .control("c") where follower == nil: sayInterrupt()
    case .control("c"):
      work?.cancel()
      ahead = []
      pasted = []
      display.add(["^C"])
      sayInterrupt()
      begin(.line)
    case .control("z"): suspend()
    case .control("\\"): quit()
    default: if ahead.count < 100_000 { ahead.append((key, display.screenNumber)) }
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
    case .quit: quit()
    }
  }

  private func cancel() {
    display.add(editor.finalRows(size: display.size, mark: "^C"))
    pasted = []
    ahead = []
    if case .text = stage {
      let app = app
      cancelling = Task { await app.cancelText() }
    }
    sayInterrupt()
    begin(.line)
  }

  /// Says what Ctrl-C does where the app hangs.
  private func sayInterrupt() { if let text = interrupts.press() { display.add(lines: [text]) } }

  /// Ctrl-D: leaves, or gives up what was asked for.
  private func end() {
    if case .line = stage { status = 0 } else { cancel() }
  }

  private func submit(_ line: String) {
    display.add(editor.finalRows(size: display.size))
    sendQuietly(line)
  }

  /// Sends a line that nobody typed just now: shown as if it had been.
  func send(_ line: String) {
    editor.begin(editor.question, text: line)
    seenScreen = display.screenNumber
    submit(line)
  }

  private func sendQuietly(_ line: String) {
    if case .line = stage, let command = terminalCommand(line) { return carryOut(command, line) }
    sentCount += 1
    let (app, mailbox, number, seen) = (app, mailbox, sentCount, seenScreen)
    let (patience, told, cancelling) = (Self.patience, display.toldCount, cancelling)
    let bytes = Array(line.utf8)
    mailbox.toldCount = told
    switch stage {
    case .answer(let prompt):
      work = Task {
        await cancelling?.value
        let reply = await app.submit(bytes, to: prompt, told: told, within: patience)
        mailbox.post(.reply(number, "", reply))
      }
    case .line, .text, .waiting:
      work = Task {
        await cancelling?.value
        let reply = await app.submit(bytes, seen: seen, told: told, within: patience)
        mailbox.post(.reply(number, line, reply))
      }
    }
    stage = .waiting
  }

  private func read(_ letter: Mailbox.Letter) {
    switch letter {
    case .first(let frame, let told): begin(frame, told: told)
    case .frame(let frame), .settled(_, let frame), .replaced(let frame): display.update(frame)
    case .compiling(let plugin): display.status = plugin.map(TerminalWatch.compiling)
    case .said(let line): display.add(lines: TextLayout.wrap(line, to: display.size.columns))
    case .completions(let list):
      isCompleting = false
      editor.receive(list)
    case .reply(let number, let line, let reply):
      // A line that was given up is kept too: somebody may want it again.
      if reply.mayRemember { remember(line) }
      guard number == sentCount, case .waiting = stage else { return display.update(reply.frame) }
      take(reply)
    }
  }

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
      // The screen below it would push away what was asked for.
      display.update(reply.frame)
      display.add(lines: reply.outcome.output)
      begin(.line)
    case .accepted:
      display.show(reply.frame)
      begin(.line)
      if !reply.frame.isSettled { watchWork() }
    }
  }

  /// Shows the screen again when it has settled: effects may end without an action.
  func watchWork() {
    let (app, mailbox) = (app, mailbox)
    mailbox.marksWork = true
    Task {
      _ = await app.settle(within: .seconds(3600))
      mailbox.marksWork = false
      mailbox.post(.frame(await mailbox.look(at: app)))
    }
  }

  private func askForCompletions() {
    guard !isCompleting, isAsking, let head = editor.wantedCompletions else { return }
    isCompleting = true
    let (app, mailbox) = (app, mailbox)
    let prompt: Prompt? = if case .answer(let prompt) = stage { prompt } else { nil }
    Task { mailbox.post(.completions(await app.completions(of: head, answering: prompt))) }
  }

  private func paint() throws(InputOutputError) {
    let view = isAsking ? editor.view(size: display.size) : nil
    let text = display.paint(view)
    if !text.isEmpty { try output.write(text) }
  }
}
