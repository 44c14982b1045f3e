internal import FullScreen
internal import LineEditor
internal import Shell
internal import Support
internal import Synchronization

/// A thread-safe queue of messages from tasks to the thread that owns the terminal.
final class Mailbox: Sendable {
  /// A message to the thread that owns the terminal.
  enum Message: Sendable {
    /// The first screen, and the message to print above it.
    case first(TerminalFrame, told: String?)
    /// The first screen of another surface.
    case switched(TerminalFrame)
    case frame(TerminalFrame)
    /// The screen after a line, once it has settled; with the line's number.
    case settled(Int, TerminalFrame)
    /// The reply to a line, with the line's number.
    case reply(Int, TerminalReply)
    case completions(CompletionList)
    /// The plugin that is being compiled; `nil` when the compiler has finished.
    case compiling(String?)
    /// A report, such as a line that a plugin printed.
    case report(String)

    /// The screen that the message has; `nil` if it has none.
    var frame: TerminalFrame? {
      switch self {
      case .first(let frame, _), .switched(let frame), .frame(let frame), .settled(_, let frame):
        frame
      case .reply(_, let reply): reply.frame
      case .completions, .compiling, .report: nil
      }
    }
  }

  private let app: App
  private let events: TerminalEvents
  private struct State {
    var messages: [Message] = []
    var seenEventCount = 0
    var marksWork = false
    var pictureSize: GridSize?
  }

  private let state = Mutex(State())
  /// Whether keys may stop and end the process.
  let mayLeave: Bool

  init(_ app: App, _ events: TerminalEvents, mayLeave: Bool) {
    self.app = app
    self.events = events
    self.mayLeave = mayLeave
  }

  /// Posts a message and wakes the thread; of consecutive ``Message/frame(_:)``, only the last is
  /// kept.
  func post(_ message: Message) {
    state.withLock { state in
      if case .frame = message, case .frame = state.messages.last { state.messages.removeLast() }
      state.messages.append(message)
    }
    events.wake()
  }

  /// Removes and returns all messages, the oldest first.
  func collect() -> [Message] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Whether the screens of ``renderFrame()`` say that effects are running.
  var marksWork: Bool {
    get { state.withLock { $0.marksWork } }
    set { state.withLock { $0.marksWork = newValue } }
  }

  /// Posts the screens of the app as they change, about 60 per second at most.
  func follow() async {
    for await _ in await app.changes() {
      post(.frame(await renderFrame()))
      try? await Task.sleep(for: .milliseconds(15))
    }
  }

  /// Posts the current screen.
  func postFrame() { Task { post(.frame(await renderFrame())) } }

  /// Gives later screens the terminal's size, and if `redraws`, posts the current one in it.
  func resize(redraws: Bool) {
    Task {
      await applySize()
      if redraws { post(.frame(await renderFrame())) }
    }
  }

  /// Shows screens as pictures of a size from now on, or as lines if it is `nil`, and posts the
  /// current one: the first one of a surface if `isFirst`.
  func show(fullScreen size: GridSize?, isFirst: Bool = false) {
    pictureSize = size
    Task {
      await applySize()
      let frame = await renderFrame()
      post(isFirst ? .switched(frame) : .frame(frame))
    }
  }

  /// The size of the pictures that are wanted; `nil` for lines.
  var pictureSize: GridSize? {
    get { state.withLock { $0.pictureSize } }
    set { state.withLock { $0.pictureSize = newValue } }
  }

  /// Has the app show screens in the size that is wanted.
  ///
  /// Tasks may run in another order than they were started in, so each reads the size on the app's
  /// thread: the last one has the latest.
  func applySize() async {
    await app.converse { [self] conversation, app in
      let terminal = TerminalSize.of(StandardOutput.descriptor)
      app.resize(to: min(max(terminal.columns, 20), 1000), rows: terminal.rows)
      let seen = conversation.show(fullScreen: pictureSize, noticesAfter: seenEventCount)
      if let seen { seenEventCount = seen }
    }
  }

  /// Shows lines full screen, until a key closes them, and posts the picture.
  func show(output lines: [String]) {
    Task {
      await app.converse { conversation, _ in conversation.view?.show(output: lines) }
      post(.frame(await renderFrame()))
    }
  }

  /// Posts the completions of a line that begins with `head`, or of an answer to a prompt.
  func postCompletions(of head: String, answering prompt: Prompt?) {
    Task {
      post(
        .completions(
          await app.converse { $0.completions(of: head, answering: prompt, in: $1) }))
    }
  }

  func renderFrame() async -> TerminalFrame {
    let (count, marksWork) = (seenEventCount, marksWork)
    return await app.converse { $0.frame(of: $1, noticesAfter: count, marksWork: marksWork) }
  }

  /// The number of events that the user has been notified of; screens have notices of later ones.
  var seenEventCount: Int {
    get { state.withLock { $0.seenEventCount } }
    set { state.withLock { $0.seenEventCount = newValue } }
  }
}
