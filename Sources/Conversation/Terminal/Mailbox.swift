internal import AppCoreHost
internal import LineEditor
internal import Support
internal import Synchronization

/// What tasks have for the thread that owns the terminal.
final class Mailbox: Sendable {
  /// What a task tells.
  enum Letter: Sendable {
    /// The first screen, and the message before it.
    case first(ShownFrame, told: String?)
    /// The screen has changed.
    case frame(ShownFrame)
    /// The screen after a line, which had not settled; the number tells which line.
    case settled(Int, ShownFrame)
    /// What became of a line; the number tells which, and the text is for the history.
    case reply(Int, String, TerminalReply)
    case completions(CompletionList)
    /// A plugin was replaced, or could not be: the screen that tells of it.
    case replaced(ShownFrame)
    /// A compiler works for this plugin; `nil` where none does any more.
    case compiling(String?)
    /// Something that nobody asked for, in one line.
    case said(String)
  }

  private let events: TerminalEvents
  private let letters = Mutex<[Letter]>([])
  private let told = Mutex(0)
  private let marks = Mutex(false)

  init(_ events: TerminalEvents) { self.events = events }

  /// Leaves a letter; of screens only the last one counts.
  func post(_ letter: Letter) {
    letters.withLock { letters in
      if case .frame = letter, case .frame = letters.last { letters.removeLast() }
      letters.append(letter)
    }
    events.wake()
  }

  /// All letters, the oldest first.
  func collect() -> [Letter] {
    letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
  }

  /// Whether screens say that effects are at work.
  var marksWork: Bool {
    get { marks.withLock { $0 } }
    set { marks.withLock { $0 = newValue } }
  }

  /// Leaves each new screen of an app, at most some 60 a second.
  func follow(_ app: App) async {
    for await _ in await app.changes() {
      post(.frame(await look(at: app)))
      try? await Task.sleep(for: .milliseconds(15))
    }
  }

  /// The screen of an app as it is now.
  func look(at app: App) async -> ShownFrame {
    await app.look(noticesAfter: toldCount, marksWork: marksWork)
  }

  /// After how many events notices are shown.
  var toldCount: Int {
    get { told.withLock { $0 } }
    set { told.withLock { $0 = newValue } }
  }
}
