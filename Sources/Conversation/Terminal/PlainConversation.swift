internal import AppCoreHost
internal import Glibc
internal import LineEditor
internal import Sessions
internal import Shell
internal import Support

/// A conversation on a terminal that is not drawn on: lines in, lines out, one after another.
///
/// The system edits the line that is typed. A screen that has not settled soon is printed as it is,
/// and again when it has, unless a line was typed meanwhile.
final class PlainConversation {
  private let app: App
  private let events = TerminalEvents(input: STDIN_FILENO)
  private let mailbox: Mailbox
  private let output = OutputWriter()
  private var history: TypedHistory
  /// How many lines were read; tells late screens and replies.
  private var count = 0

  /// What outlives the process; `nil` where nothing does.
  private let session: AppSession?
  private let watch: TerminalWatch
  private var interrupts: HangInterrupts
  /// Gives up a text of several lines: what is sent after it comes after it.
  private var cancelling: Task<Void, Never>?

  init(_ app: App, _ session: AppSession?, historyPath: String?, _ watch: TerminalWatch) {
    self.app = app
    self.session = session
    self.watch = watch
    interrupts = HangInterrupts(app)
    mailbox = Mailbox(events)
    history = TypedHistory(path: historyPath)
  }

  func run() throws(InputOutputError) -> Int32 {
    let app = app
    events.beginNotices(interrupts: true)
    defer { events.endNotices() }
    SignalStack.give()
    watch.begin(mailbox)
    defer { watch.end() }
    try greet()
    var reader = LineReader(descriptor: STDIN_FILENO)
    while let event = try next(&reader) {
      count += 1
      switch event {
      case .end:
        try output.write("\n")
        return 0
      case .tooLong(let limit):
        let reply = waitFor { await app.refuseTooLong(limit: limit) }
        try output.write(lines: reply.lines)
        try output.write("> ")
      case .line(let bytes): if try send(bytes, &reader) { return 0 }
      }
    }
    return 0
  }

  /// Says what runs, or how it continues, and shows the first screen.
  private func greet() throws(InputOutputError) {
    let goesOn = session?.image != nil
    if goesOn {
      if let line = session?.former.sentLine { history.add(line) }
      session?.note { $0.sentLine = nil }
      try output.write("\n")
    } else {
      try output.write(lines: [app.loaded.title, "Type a number, a label or :help.", ""])
    }
    watch.showFirst(in: mailbox)
    while true {
      if case .interrupted = events.next(within: nil, .nothing) { try sayInterrupt() }
      for letter in mailbox.collect() {
        switch letter {
        case .first(let frame, let told):
          try output.write(lines: told.map { ["! " + $0, ""] } ?? [])
          return try show(frame)
        case .said(let line): try output.write(lines: Self.wrapped(line))
        case .reply, .frame, .settled, .completions, .replaced, .compiling: break
        }
      }
    }
  }

  /// Says what Ctrl-C does where the app hangs.
  private func sayInterrupt() throws(InputOutputError) {
    if let text = interrupts.press() { try output.write(lines: ["", text]) }
  }

  /// The next line; meanwhile screens that settled late are printed.
  private func next(_ reader: inout LineReader) throws(InputOutputError) -> LineReader.Event? {
    while !reader.hasLine {
      switch events.next(within: nil, .readiness) {
      case .bytes, .end: return try reader.next()
      case .interrupted:
        // The system has dropped what was typed.
        let app = app
        cancelling = Task { await app.cancelText() }
        try sayInterrupt()
        try output.write("\n> ")
      case .resized:
        let (app, size) = (app, TerminalSize.of(StandardOutput.descriptor))
        Task { await app.resize(to: min(max(size.columns, 20), 1000), rows: size.rows) }
      case .continued: try output.write("> ")
      case .woken, .timedOut: break
      }
      for letter in mailbox.collect() {
        switch letter {
        case .settled(count, let frame), .replaced(let frame): try tell(frame)
        case .compiling(let plugin?): try tell([TerminalWatch.compiling(plugin)])
        case .said(let line): try tell(Self.wrapped(line))
        case .first, .frame, .settled, .reply, .completions, .compiling: break
        }
      }
    }
    return try reader.next()
  }

  /// What is said, broken between words as screens are.
  private static func wrapped(_ line: String) -> [String] {
    TextLayout.wrap(line, to: max(TerminalSize.of(StandardOutput.descriptor).columns, 20))
  }

  /// Prints what nobody asked for, below the line that is typed.
  private func tell(_ lines: [String]) throws(InputOutputError) {
    try output.write(lines: [""] + lines)
    try output.write("> ")
  }

  /// Prints a screen that nobody asked for; its notices are shown once.
  private func tell(_ frame: ShownFrame) throws(InputOutputError) {
    mailbox.toldCount = frame.eventCount
    try tell(frame.lines)
  }

  /// Sends a line; whether the person leaves.
  private func send(
    _ bytes: [UInt8], _ reader: inout LineReader
  ) throws(InputOutputError) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    if case .command(let command) = try? LineParser().parse(text),
      App.terminalCommands.contains(command.name)
    {
      return try carryOut(command, text, &reader)
    }
    let (app, told) = (app, mailbox.toldCount)
    guard
      var reply = try wait(text, { await app.submit(bytes, seen: nil, told: told, within: $0) })
    else { return false }
    if reply.mayRemember { history.add(text) }
    if case .prompt(let prompt) = reply.outcome.kind {
      guard let answered = try ask(prompt, &reader) else { return false }
      reply = answered
    }
    return try tell(reply)
  }

  private func tell(_ reply: TerminalReply) throws(InputOutputError) -> Bool {
    switch reply.outcome.kind {
    case .quit: return true
    case .needsMoreLines: try output.write("… ")
    case .nothing, .prompt: try output.write("> ")
    case .accepted where reply.outcome.output.isEmpty: try show(reply.frame)
    case .refused where reply.outcome.settling != nil:
      try output.write(lines: reply.outcome.output)
      try show(reply.frame)
    case .refused, .accepted:
      try output.write(lines: reply.outcome.output)
      if let failure = history.takeFailure() { try output.write(lines: [failure]) }
      try output.write("> ")
    }
    return false
  }

  /// Waits for the app; Ctrl-C gives it up, and then there is no reply.
  private func wait(
    _ line: String, _ work: @escaping @Sendable (Duration) async -> TerminalReply
  ) throws(InputOutputError) -> TerminalReply? {
    let (mailbox, number, patience) = (mailbox, count, EditedConversation.patience)
    let cancelling = cancelling
    let task = Task {
      await cancelling?.value
      mailbox.post(.reply(number, line, await work(patience)))
    }
    while true {
      if case .interrupted = events.next(within: nil, .nothing) {
        task.cancel()
        try sayInterrupt()
        try output.write("\n> ")
        return nil
      }
      for letter in mailbox.collect() {
        switch letter {
        case .reply(number, _, let reply): return reply
        case .compiling(let plugin?): try output.write(lines: [TerminalWatch.compiling(plugin)])
        case .said(let line): try output.write(lines: [""] + Self.wrapped(line))
        case .first, .reply, .frame, .settled, .completions, .replaced, .compiling: break
        }
      }
    }
  }

  private func ask(
    _ prompt: Prompt, _ reader: inout LineReader
  ) throws(InputOutputError) -> TerminalReply? {
    let app = app
    let answer: [UInt8]
    if prompt.isSecret {
      guard case .bytes(let bytes) = try SecretPrompt().ask(prompt.question) else {
        try output.write("> ")
        return nil
      }
      answer = bytes
    } else {
      try output.write("\(prompt.question): ")
      guard case .line(let bytes) = try next(&reader) else { return nil }
      answer = bytes
    }
    let told = mailbox.toldCount
    return try wait("", { await app.submit(answer, to: prompt, told: told, within: $0) })
  }

  private func carryOut(
    _ command: Command, _ line: String, _ reader: inout LineReader
  ) throws(InputOutputError) -> Bool {
    _ = history.refresh()
    switch command {
    case .history(let text):
      try output.write(lines: history.listing(holding: text))
      history.add(line)
    case .again(let number):
      if let earlier = history.line(number: number) {
        try output.write(lines: [earlier])
        return try send(Array(earlier.utf8), &reader)
      }
      try output.write(
        lines: ["✗ the history has no line \(number); ':history' lists them"])
    default: break
    }
    try output.write("> ")
    return false
  }

  /// Prints a screen, and the next one should this one not have settled.
  private func show(_ frame: ShownFrame) throws(InputOutputError) {
    mailbox.toldCount = frame.eventCount
    try output.write(lines: frame.lines)
    if let failure = history.takeFailure() { try output.write(lines: [failure]) }
    try output.write("> ")
    guard !frame.isSettled else { return }
    let (app, mailbox, number) = (app, mailbox, count)
    Task {
      guard await app.settle(within: .seconds(3600)) else { return }
      mailbox.post(.settled(number, await mailbox.look(at: app)))
    }
  }
}
