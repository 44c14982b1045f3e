internal import Glibc
internal import LineEditor
internal import Shell
internal import Support

/// A terminal in plain mode: lines are read, and screens printed, one after the other.
///
/// The terminal driver edits the line. What is typed while the app works stays unread until then.
final class PlainSurface: Surface {
  private let events: TerminalEvents
  private let mailbox: Mailbox
  private let output = OutputWriter()
  private var reader = LineReader(descriptor: STDIN_FILENO)
  var stage = TerminalStage.app
  /// Whether the first screen is printed.
  private var hasBegun = false

  init(_ events: TerminalEvents, _ mailbox: Mailbox) {
    self.events = events
    self.mailbox = mailbox
  }

  var seenEventCount: Int { mailbox.seenEventCount }
  var updatesInPlace: Bool { false }

  func open(greeting: [String]?) throws(InputOutputError) {
    events.beginNotices(interrupts: true)
    try output.write(lines: greeting ?? [""])
  }

  func close() { events.endNotices() }

  func next() throws(InputOutputError) -> TerminalInput {
    if case .answer(let prompt) = stage, stage.asksForSecret {
      guard let answer = try SecretPrompt.ask(prompt.question) else { return .unanswered }
      return .line(.line(answer), seenScreen: nil)
    }
    if !stage.isApp, reader.hasLine { return try readLine() }
    switch events.next(within: nil, stage.isApp ? .nothing : .readiness) {
    case .bytes, .end: if !stage.isApp { return try readLine() }
    // The terminal driver has discarded the line.
    case .notice(.interrupted): return .cancelled
    case .notice(.resized): mailbox.resize(redraws: false)
    case .notice(.continued): try output.write(prompt)
    case .woken, .timedOut: break
    }
    return .nothing
  }

  private func readLine() throws(InputOutputError) -> TerminalInput {
    let event = try reader.next()
    guard event == .end else { return .line(event, seenScreen: nil) }
    // The reader of an input that has ended doesn't read from it again.
    reader = LineReader(descriptor: STDIN_FILENO)
    if case .line = stage { try output.write("\n") }
    return isatty(STDIN_FILENO) == 1 ? .ended : .closed
  }

  /// The prompt of the line that is being typed, which is printed again below other output.
  private var prompt: String { stage.asksForSecret ? "" : stage.prompt }

  func ask(remark: String?) throws(InputOutputError) {
    if let remark { try output.write(lines: [remark]) }
    try output.write(prompt)
  }

  func cancel(telling message: String?) throws(InputOutputError) {
    if let message { try output.write(lines: ["", message]) }
    try output.write("\n")
  }

  func echo(_ line: String) throws(InputOutputError) { try output.write(lines: [line]) }

  func show(first frame: TerminalFrame, telling message: String?) throws(InputOutputError) {
    hasBegun = true
    if let message { try output.write(lines: [message, ""]) }
    try write(frame)
  }

  func show(_ reply: TerminalReply) throws(InputOutputError) {
    try output.write(lines: reply.reply.output)
    if reply.showsScreen { try write(reply.frame) }
  }

  func update(_ frame: TerminalFrame) throws(InputOutputError) {
    // The reply will have a screen, with the notices of this one.
    guard !stage.isApp else { return }
    try output.write("\n")
    try write(frame)
    try output.write(prompt)
  }

  func print(_ lines: [String]) throws(InputOutputError) { try output.write(lines: lines) }

  /// Writes a screen; its notices will not be shown again.
  private func write(_ frame: TerminalFrame) throws(InputOutputError) {
    mailbox.seenEventCount = frame.eventCount
    try output.write(lines: frame.lines)
  }

  func report(_ line: String) throws(InputOutputError) {
    let columns = TerminalSize.of(StandardOutput.descriptor).columns
    try output.write(lines: [""] + TextLayout.wrap(line, to: max(columns, 20)))
    try output.write(prompt)
  }

  func show(status: String?) throws(InputOutputError) {
    guard let status, hasBegun else { return }
    try output.write(lines: (stage.isApp ? [] : [""]) + [status])
    try output.write(prompt)
  }
}
