internal import Glibc
internal import LineEditor
internal import Sessions
internal import Shell
internal import Support

/// A conversation on a terminal in plain mode: lines are read, and screens printed, one after the
/// other.
///
/// The terminal driver edits the line. A screen that has not settled after a short time is printed
/// as it is, and again when it has settled, unless another line was typed meanwhile.
final class PlainConversation {
  private let app: App
  private let events = TerminalEvents(input: STDIN_FILENO)
  private let mailbox: Mailbox
  private let output = OutputWriter()
  private var history: TypedHistory
  /// The number of lines that were read, which tells late screens and replies from expected ones.
  private var count = 0

  /// Where the session is saved; `nil` if it is not saved.
  private let session: AppSession?
  private let watch: TerminalWatch
  private var interrupts: HangInterrupts
  /// The task that abandons a text of several lines; later lines wait for it.
  private var cancelling: Task<Void, Never>?
  /// The prompt of the line that is being typed, which is printed again below other output.
  private var prompt = PlainConversation.linePrompt
  /// Whether the next line belongs to a text of several lines.
  private var isInText = false

  private static let linePrompt = "> "
  private static let textPrompt = "… "

  init(_ app: App, _ session: AppSession?, historyPath: String?, _ watch: TerminalWatch) {
    self.app = app
    self.session = session
    self.watch = watch
    interrupts = HangInterrupts(app)
    mailbox = Mailbox(events)
    history = TypedHistory(path: historyPath)
  }

  /// Runs the conversation until the user leaves.
  ///
  /// - Returns: the exit status.
  /// - Throws: `InputOutputError` if a line can't be read or a screen can't be written.
  func run() throws(InputOutputError) -> Int32 {
    events.beginNotices(interrupts: true)
    defer { events.endNotices() }
    SignalStack.give()
    watch.begin(mailbox)
    session?.setReceiver { [mailbox] in mailbox.post(.report("! " + $0)) }
    defer { watch.end() }
    try greet()
    var reader = LineReader(descriptor: STDIN_FILENO)
    while true {
      guard let event = try next(&reader) else { continue }
      count += 1
      switch event {
      case .end where isInText: try abandon(at: &reader)
      case .end:
        try output.write("\n")
        return 0
      case .tooLong(let limit): try refuseTooLong(limit)
      case .line(let bytes): if try send(bytes, &reader) { return 0 }
      }
    }
  }

  /// Prints a greeting, or the message about the previous process, and the first screen.
  private func greet() throws(InputOutputError) {
    let wasRestored = session?.image != nil
    if wasRestored {
      if let line = session?.former.sentLine { history.add(line) }
      session?.update { $0.sentLine = nil }
      try output.write("\n")
    } else {
      try output.write(lines: [app.loaded.title, "Type a number, a label or :help.", ""])
    }
    watch.showFirst(in: mailbox)
    while true {
      switch events.next(within: nil, .nothing) {
      case .interrupted: try sayInterrupt()
      case .resized: resize()
      case .bytes, .end, .continued, .woken, .timedOut: break
      }
      for message in mailbox.collect() {
        switch message {
        case .first(let frame, let told):
          try output.write(lines: told.map { ["! " + $0, ""] } ?? [])
          return try show(frame)
        case .report(let line): try output.write(lines: Self.wrapped(line))
        case .reply, .frame, .settled, .completions, .replaced, .compiling: break
        }
      }
    }
  }

  /// Prints what Ctrl-C does, if the app hangs.
  private func sayInterrupt() throws(InputOutputError) {
    if let text = interrupts.press() { try output.write(lines: ["", text]) }
  }

  /// Prints a prompt for the next line.
  private func showPrompt(
    _ prompt: String = PlainConversation.linePrompt
  ) throws(InputOutputError) {
    self.prompt = prompt
    try output.write(prompt)
  }

  /// Abandons an unfinished text or answer after Ctrl-C, and prints the prompt for a line.
  private func abandon() throws(InputOutputError) {
    let app = app
    cancelling = Task {
      await app.converse { conversation, _ in conversation.session.cancelText() }
    }
    isInText = false
    try sayInterrupt()
    try output.write("\n")
    try showPrompt()
  }

  /// Abandons an unfinished text or answer after Ctrl-D, and prints the prompt for a line.
  private func abandon(at reader: inout LineReader) throws(InputOutputError) {
    // The reader of an input that has ended doesn't read from it again.
    reader = LineReader(descriptor: STDIN_FILENO)
    try abandon()
  }

  /// Rejects a line that was too long to be read.
  private func refuseTooLong(_ limit: Int) throws(InputOutputError) {
    let app = app
    let reply = waitFor { await app.refuseTooLong(limit: limit) }
    try output.write(lines: reply.lines)
    try showPrompt(isInText ? Self.textPrompt : Self.linePrompt)
  }

  /// Adapts to a changed size of the terminal: later screens have its width.
  private func resize() {
    let (app, size) = (app, TerminalSize.of(StandardOutput.descriptor))
    Task { await app.resize(to: min(max(size.columns, 20), 1000), rows: size.rows) }
  }

  /// Reads the next line; meanwhile, prints screens that settled late, reloads and reports.
  ///
  /// - Returns: the line; `nil` after Ctrl-C.
  private func next(_ reader: inout LineReader) throws(InputOutputError) -> LineReader.Event? {
    while !reader.hasLine {
      switch events.next(within: nil, .readiness) {
      case .bytes, .end: return try reader.next()
      case .interrupted:
        // The terminal driver has discarded the line.
        try abandon()
        return nil
      case .resized: resize()
      case .continued: try output.write(prompt)
      case .woken, .timedOut: break
      }
      for message in mailbox.collect() {
        switch message {
        case .settled(count, let frame), .replaced(let frame): try interrupt(frame)
        case .compiling(let plugin?): try interrupt([TerminalWatch.compiling(plugin)])
        case .report(let line): try interrupt(Self.wrapped(line))
        case .first, .frame, .settled, .reply, .completions, .compiling: break
        }
      }
    }
    return try reader.next()
  }

  /// The lines of a report, wrapped to the width of the terminal.
  private static func wrapped(_ line: String) -> [String] {
    TextLayout.wrap(line, to: max(TerminalSize.of(StandardOutput.descriptor).columns, 20))
  }

  /// Prints unrequested output below the line that is being typed, and the prompt again.
  private func interrupt(_ lines: [String]) throws(InputOutputError) {
    try output.write(lines: [""] + lines)
    try output.write(prompt)
  }

  /// Prints an unrequested screen; its notices will not be shown again.
  private func interrupt(_ frame: TerminalFrame) throws(InputOutputError) {
    mailbox.seenEventCount = frame.eventCount
    try interrupt(frame.lines)
  }

  /// Sends a line, and prints the reply.
  ///
  /// - Returns: whether the user leaves the app.
  private func send(
    _ bytes: [UInt8], _ reader: inout LineReader
  ) throws(InputOutputError) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    if !isInText, case .command(let command) = try? LineParser().parse(text),
      command.isOfTerminal
    {
      return try carryOut(command, text, &reader)
    }
    let (app, told) = (app, mailbox.seenEventCount)
    guard
      var reply = try wait(
        text,
        { limit in
          await app.converse {
            await $0.submit(bytes, seen: nil, noticesAfter: told, within: limit, in: $1)
          }
        })
    else { return false }
    if reply.mayRemember { history.add(text) }
    if case .prompt(let prompt) = reply.outcome.kind {
      guard let answered = try ask(prompt, &reader) else { return false }
      reply = answered
    }
    return try show(reply)
  }

  /// Prints a reply, and returns whether the user leaves the app.
  private func show(_ reply: TerminalReply) throws(InputOutputError) -> Bool {
    isInText = false
    switch reply.outcome.kind {
    case .quit: return true
    case .needsMoreLines:
      isInText = true
      try showPrompt(Self.textPrompt)
    case .nothing, .prompt: try showPrompt()
    case .accepted where reply.outcome.output.isEmpty: try show(reply.frame)
    case .refused where reply.outcome.settling != nil:
      try output.write(lines: reply.outcome.output)
      try show(reply.frame)
    case .refused, .accepted:
      try output.write(lines: reply.outcome.output)
      if let failure = history.takeFailure() { try output.write(lines: [failure]) }
      try showPrompt()
    }
    return false
  }

  /// Waits for the app to carry out a line; returns `nil` after Ctrl-C.
  private func wait(
    _ line: String, _ work: @escaping @Sendable (Duration) async -> TerminalReply
  ) throws(InputOutputError) -> TerminalReply? {
    let (mailbox, number, timeout) = (mailbox, count, EditedConversation.timeout)
    let cancelling = cancelling
    let task = Task {
      await cancelling?.value
      mailbox.post(.reply(number, line, await work(timeout)))
    }
    while true {
      switch events.next(within: nil, .nothing) {
      case .interrupted:
        task.cancel()
        try abandon()
        return nil
      case .resized: resize()
      case .bytes, .end, .continued, .woken, .timedOut: break
      }
      for message in mailbox.collect() {
        switch message {
        case .reply(number, _, let reply): return reply
        case .compiling(let plugin?): try output.write(lines: [TerminalWatch.compiling(plugin)])
        case .report(let line): try output.write(lines: [""] + Self.wrapped(line))
        case .first, .reply, .frame, .settled, .completions, .replaced, .compiling: break
        }
      }
    }
  }

  /// Asks for a value and sends it; returns `nil` if there is no answer, after printing the prompt
  /// for a line.
  private func ask(
    _ prompt: Prompt, _ reader: inout LineReader
  ) throws(InputOutputError) -> TerminalReply? {
    let app = app
    let answer: [UInt8]
    if prompt.isSecret {
      guard let bytes = try SecretPrompt.ask(prompt.question) else {
        try showPrompt()
        return nil
      }
      answer = bytes
    } else {
      try showPrompt("\(prompt.question): ")
      switch try next(&reader) {
      case .line(let bytes): answer = bytes
      case .tooLong(let limit):
        try refuseTooLong(limit)
        return nil
      case .end:
        try abandon(at: &reader)
        return nil
      case nil: return nil
      }
    }
    let told = mailbox.seenEventCount
    return try wait("") { limit in
      await app.converse {
        await $0.submit(answer, to: prompt, noticesAfter: told, within: limit, in: $1)
      }
    }
  }

  /// Carries out one of ``Conversation/terminalCommands``, and returns whether the user leaves the app.
  private func carryOut(
    _ command: Command, _ line: String, _ reader: inout LineReader
  ) throws(InputOutputError) -> Bool {
    _ = history.refresh()
    switch command {
    case .history(let text):
      try output.write(lines: history.listing(holding: text))
      history.add(line)
    case .again(let number):
      let earlier: String
      do throws(NotRepeatable) {
        earlier = try history.repeatedLine(number)
      } catch {
        try output.write(lines: [error.description])
        break
      }
      try output.write(lines: [earlier])
      return try send(Array(earlier.utf8), &reader)
    default: break
    }
    try showPrompt()
    return false
  }

  /// Prints a screen; if it has not settled, prints it again once it has.
  private func show(_ frame: TerminalFrame) throws(InputOutputError) {
    mailbox.seenEventCount = frame.eventCount
    try output.write(lines: frame.lines)
    if let failure = history.takeFailure() { try output.write(lines: [failure]) }
    try showPrompt()
    guard !frame.isSettled else { return }
    let (app, mailbox, number) = (app, mailbox, count)
    Task {
      guard await app.settle(within: .seconds(3600)) else { return }
      mailbox.post(.settled(number, await mailbox.renderFrame(of: app)))
    }
  }
}
