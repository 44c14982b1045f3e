internal import FullScreen
internal import Glibc
internal import LineEditor
internal import Shell
internal import Supervision
internal import Support

/// What a person types on, and what shows the screens: a terminal in plain mode, one with a line
/// editor, or one that shows them full screen.
///
/// It belongs to the thread that runs the ``TerminalRunner``.
protocol Surface: AnyObject {
  /// What the runner waits for.
  var stage: TerminalStage { get set }
  /// The number of events of the journal that the user has been notified of, without those of a
  /// screen that is still to be painted.
  var seenEventCount: Int { get }
  /// The number of the screen that is shown; `nil` if numbers always refer to the last one.
  var screenNumber: Int? { get }
  /// Whether the screen is updated in place whenever it changes.
  var updatesInPlace: Bool { get }
  /// The size of the pictures that it shows; `nil` if it shows lines.
  var pictureSize: GridSize? { get }

  /// Takes the terminal over, and prints a greeting, or begins a new line if it is `nil`.
  func open(greeting: [String]?) throws(InputOutputError)
  /// Gives the terminal back; called in any case.
  func close()
  /// Leaves what is shown as it is, before ``close()``.
  func leave() throws(InputOutputError)

  /// Waits for input, or until the mailbox may have messages; they are to be collected after each
  /// call.
  func next() throws(InputOutputError) -> TerminalInput
  /// Asks for the line of a stage that has begun, with a remark on it if there is one.
  func ask(remark: String?) throws(InputOutputError)
  /// Abandons what is being typed or carried out, which the user has cancelled.
  func cancel(telling message: String?) throws(InputOutputError)
  /// Shows a line from the history, which is sent as if it had been typed.
  func echo(_ line: String) throws(InputOutputError)

  /// Offers the lines that the history has now.
  func rememberHistory()

  /// Shows the first screen, below a message about the previous process.
  func show(first frame: TerminalFrame, telling message: String?) throws(InputOutputError)
  func show(_ reply: TerminalReply) throws(InputOutputError)
  /// Shows a screen that no line has led to.
  func update(_ frame: TerminalFrame) throws(InputOutputError)
  /// Prints lines below the last ones, for a line that was typed.
  func print(_ lines: [String]) throws(InputOutputError)
  /// Prints a report that nothing typed has led to.
  func report(_ line: String) throws(InputOutputError)
  /// Shows that work is in progress; `nil` when it is done.
  func show(status: String?) throws(InputOutputError)
  func receive(_ completions: CompletionList)

  /// Removes and returns the keys that were typed and are not handled, when another surface follows.
  func removeKeys() -> [SeenKey]
  /// Handles keys that were typed before those that are read next.
  func type(_ keys: [SeenKey])
}

extension Surface {
  var screenNumber: Int? { nil }
  var updatesInPlace: Bool { true }
  var pictureSize: GridSize? { nil }

  func leave() {}
  func echo(_ line: String) {}
  func rememberHistory() {}
  func receive(_ completions: CompletionList) {}
  func removeKeys() -> [SeenKey] { [] }
  func type(_ keys: [SeenKey]) {}

  /// Ctrl-\: ends the process at once with SIGQUIT, as the terminal driver would.
  func quit() {
    TerminalModes.restore()
    ProcessSignals.end(by: SIGQUIT)
  }
}

/// What a ``TerminalRunner`` waits for.
enum TerminalStage {
  /// A line.
  case line
  /// The next line of a text of several lines.
  case text
  /// The answer to a prompt.
  case answer(Prompt)
  /// The app, which makes the first screen or carries out a line.
  case app

  var isApp: Bool { if case .app = self { true } else { false } }

  var asksForSecret: Bool { if case .answer(let prompt) = self { prompt.isSecret } else { false } }

  /// The text before what is typed.
  var prompt: String {
    switch self {
    case .line: "> "
    case .text: "… "
    case .answer(let prompt): prompt.question + ": "
    case .app: ""
    }
  }
}

/// A key, with the number of the screen or picture that was shown when it was typed.
typealias SeenKey = (key: KeyPress, screen: Int)

/// What a person does at a terminal.
enum TerminalInput {
  /// A line, with the number of the screen that was shown when it was begun.
  case line(LineReader.Event, seenScreen: Int?)
  /// Keys, where there are no lines; none if the app is to go on with a search.
  case keys([SeenKey])
  /// Ctrl-C.
  case cancelled
  /// Ctrl-D: leaves the app, or abandons a text or an answer.
  case ended
  /// A prompt is not answered.
  case unanswered
  /// The terminal is gone.
  case closed
  /// Nothing; the mailbox may have messages.
  case nothing
}

// Signals become notices, which ``next(within:_:)`` returns as events.
extension TerminalEvents {
  /// Starts notices of a new size, of continuing, and if `interrupts`, of Ctrl-C.
  ///
  /// From now on, signals that end or stop the process restore the terminal first.
  func beginNotices(interrupts: Bool) {
    // Initializes the globals that signal handlers use.
    TerminalModes.restore()
    ProcessSignals.guardTerminal {
      TerminalModes.restoreInHandler(forGood: $0)
    } retake: {
      TerminalModes.retakeInHandler()
    }
    var notices = [SIGWINCH: Notice.resized.rawValue, SIGCONT: Notice.continued.rawValue]
    if interrupts { notices[SIGINT] = Notice.interrupted.rawValue }
    ProcessSignals.forward(notices, to: noticeDescriptor)
    OwnDescriptors.watch(descriptors, "pipe of events")
  }

  /// Waits for the next event until the first of some moments, in nanoseconds; with no limit if all
  /// are `nil`.
  func next(until moments: [Int?]) -> Event {
    let end = moments.compactMap(\.self).min()
    return next(within: end.map { max(($0 - MonotonicTime.now() + 999_999) / 1_000_000, 0) })
  }

  /// Stops the process group, and returns when the process continues.
  func stopJob() {
    ProcessSignals.stopJob()
    // The process stops during this wait at the latest. It does not stop if no parent shell could
    // continue it. The notice that it continues must not cause a second screen.
    var quietWaits = 0
    while quietWaits < 5 {
      let event = next(within: 20, .nothing)
      if event == .notice(.continued) { break }
      if event == .timedOut, !ProcessSignals.isStopping { quietWaits += 1 }
    }
    // The waits may have taken the wake of messages that are still to be collected.
    wake()
  }

  /// Stops the notices; Ctrl-C ends the process again.
  ///
  /// If other code has closed the terminal, the conversation has ended because of that, and the
  /// process ends here.
  func endNotices() {
    OwnDescriptors.endIfClosed()
    OwnDescriptors.unwatch(descriptors)
    ProcessSignals.stopForwarding()
  }

  private var descriptors: [Int32] { [pipeEnd, noticeDescriptor] }
}
