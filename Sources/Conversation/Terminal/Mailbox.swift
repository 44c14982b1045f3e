internal import AppCoreHost
internal import LineEditor
internal import Support
internal import Synchronization

/// A thread-safe queue of messages from tasks to the thread that owns the terminal.
final class Mailbox: Sendable {
  /// A message to the thread that owns the terminal.
  enum Letter: Sendable {
    /// The first screen, and the message to print above it.
    case first(ShownFrame, told: String?)
    /// The screen has changed.
    case frame(ShownFrame)
    /// The screen after a line, once it has settled; with the line's number.
    case settled(Int, ShownFrame)
    /// The result of a line, with the line's number and its text for the history.
    case reply(Int, String, TerminalReply)
    case completions(CompletionList)
    /// The screen after a reload of a changed file, successful or not.
    case replaced(ShownFrame)
    /// The plugin that is being compiled; `nil` when the compiler has finished.
    case compiling(String?)
    /// A report, such as a line that a plugin printed.
    case said(String)
  }

  private let events: TerminalEvents
  private let letters = Mutex<[Letter]>([])
  private let told = Mutex(0)
  private let marks = Mutex(false)

  init(_ events: TerminalEvents) { self.events = events }

  /// Posts a message and wakes the thread; of consecutive ``Letter/frame(_:)``, only the last is
  /// kept.
  func post(_ letter: Letter) {
    letters.withLock { letters in
      if case .frame = letter, case .frame = letters.last { letters.removeLast() }
      letters.append(letter)
    }
    events.wake()
  }

  /// Removes and returns all messages, the oldest first.
  func collect() -> [Letter] {
    letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
  }

  /// Whether the screens of ``look(at:)`` say that effects are running.
  var marksWork: Bool {
    get { marks.withLock { $0 } }
    set { marks.withLock { $0 = newValue } }
  }

  /// Posts the screens of an app as they change, about 60 per second at most.
  func follow(_ app: App) async {
    for await _ in await app.changes() {
      post(.frame(await look(at: app)))
      try? await Task.sleep(for: .milliseconds(15))
    }
  }

  /// Renders the current screen of an app.
  func look(at app: App) async -> ShownFrame {
    await app.look(noticesAfter: toldCount, marksWork: marksWork)
  }

  /// The number of events that the user has been notified of; screens have notices of later ones.
  var toldCount: Int {
    get { told.withLock { $0 } }
    set { told.withLock { $0 = newValue } }
  }
}
