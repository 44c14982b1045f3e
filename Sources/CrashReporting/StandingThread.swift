@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
internal import Synchronization

/// What a thread was doing for a feature when a signal interrupted it.
///
/// A handler of a signal may do next to nothing, so it writes down where its thread is and wakes
/// another one, which finds the words. The action is taken hold of while the thread stands still.
struct Interruption: @unchecked Sendable {
  // Unchecked: of the record only plain values are read, and the action only while it is held.
  /// The signal; 0 where somebody only asked.
  var signal: Int32 = 0
  var record = CallRecord()
  /// The app of the record; 0 where the thread is not a store's.
  var app: UInt32 = 0
  /// Where the thread was, if it is to end.
  var trace = CallTrace()
  /// The instance whose effect the thread was at work on.
  var scope: InstanceScope?
  /// The plugin that the thread was bringing into the process, and how far that was.
  var stage: PluginStage?
  var stagedPlugin: UnsafePointer<CChar>?
}

/// Where handlers leave an interruption, and the thread that puts it into words.
enum InterruptionDesk {
  /// What is to be found out; written by the handler that took the desk.
  static nonisolated(unsafe) let paper: UnsafeMutablePointer<Interruption> = {
    let memory = UnsafeMutablePointer<Interruption>.allocate(capacity: 1)
    memory.initialize(to: Interruption())
    return memory
  }()
  /// Posted when the paper is written, and when it has been dealt with.
  static nonisolated(unsafe) let asked = semaphore()
  static nonisolated(unsafe) let answered = semaphore()
  /// Whether the paper was written since somebody asked for it; others post ``asked`` too.
  static let isWritten = Atomic<Bool>(false)
  /// The thread that ends the process, or 0; it never gives the desk back.
  private static let endingThread = Atomic<UInt>(0)
  /// The thread that finds the words, or 0 before there is one.
  static let clerk = Atomic<UInt>(0)

  /// Whether a thread is about to end the process.
  static var isEnding: Bool { endingThread.load(ordering: .sequentiallyConsistent) != 0 }

  /// Which of the threads that have failed this one is.
  enum Turn {
    case first
    /// Another thread was before it.
    case another
    /// This thread has failed before, or it finds the words for another: nothing more can be told.
    case again
  }

  /// Takes the desk for the end of the process, unless another thread has it; in a handler.
  static func take() -> Turn {
    let own = UInt(pthread_self())
    let (isFirst, holder) = endingThread.compareExchange(
      expected: 0, desired: own, ordering: .sequentiallyConsistent)
    if isFirst { return .first }
    return holder == own || clerk.load(ordering: .sequentiallyConsistent) == own ? .again : .another
  }

  private static func semaphore() -> UnsafeMutablePointer<sem_t> {
    let memory = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    memory.initialize(to: sem_t())
    sem_init(memory, 0, 0)
    return memory
  }

  /// Makes everything that a handler touches, before there is one.
  static func prepare() {
    _ = (paper, asked, answered, WatchedThreads.entries, StagedThreads.entries)
    // The first time, types are made known to the runtime, which takes locks.
    _ = RunningEffect.scope(as: InstanceScope.self)
    _ = (WatchedThreads.own, StagedThreads.own)
  }

  /// Leaves where the calling thread is, and waits until it has been written down.
  ///
  /// Runs in a handler: no allocation, no lock.
  static func leave(signal: Int32, patience: Int, tracesCalls: Bool = true) {
    paper.pointee.take(signal: signal, tracesCalls: tracesCalls)
    isWritten.store(true, ordering: .sequentiallyConsistent)
    // Of a former answer that came too late.
    while sem_trywait(answered) == 0 {}
    sem_post(asked)
    wait(for: answered, seconds: patience)
  }

  /// Waits for a semaphore; gives up when the time has passed.
  @discardableResult
  static func wait(for semaphore: UnsafeMutablePointer<sem_t>, seconds: Int) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += seconds
    while sem_timedwait(semaphore, &end) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }
}

extension Interruption {
  /// Writes down what the calling thread does.
  ///
  /// Runs in a handler too: no allocation, no lock.
  mutating func take(signal: Int32, tracesCalls: Bool = true) {
    let own = WatchedThreads.own
    self.signal = signal
    if tracesCalls { trace.take() } else { trace.forget() }
    app = own?.app ?? 0
    record = own?.record?.pointee ?? CallRecord()
    scope = record.kind == .none ? RunningEffect.scope(as: InstanceScope.self) : nil
    let staged = StagedThreads.own
    stage = staged?.stage
    stagedPlugin = staged?.plugin
  }

  /// Whose code ran and what for, in words; `nil` where no plugin's is known to have.
  var culprit: String? {
    if let owner { return "\(owner), \(callWords)" }
    if let stage, let stagedPlugin {
      return "plugin '\(String(cString: stagedPlugin))', \(stage.words)"
    }
    // The loader's lock is held then, by whoever may have been stopped.
    guard !StagedThreads.isLoading else { return nil }
    return trace.pluginPlace(of: nil).map {
      "plugin '\($0.plugin)', outside of its features' calls"
    }
  }

  /// Where the plugin's code was.
  var place: CallTrace.Place? {
    guard !StagedThreads.isLoading else { return nil }
    return trace.pluginPlace(of: plugin ?? stagedPlugin.map { String(cString: $0) })?.place
  }

  /// Who was at work, in words; `nil` where no feature was.
  var owner: String? {
    if record.kind != .none { return Self.words(record.instance, node: record.node, app: app) }
    return scope.flatMap { Self.words($0.id, node: Int($0.node), app: $0.app) }
  }

  /// The plugin that was at work; `nil` where none was.
  private var plugin: String? { node?.plugin }

  /// The node whose feature was at work; `nil` where none was.
  var node: WatchedNames.Node? {
    record.kind != .none
      ? WatchedNames.node(record.node, app: app)
      : scope.flatMap { WatchedNames.node(Int($0.node), app: $0.app) }
  }

  /// Who was at work last on a store's thread.
  var lastOwner: String? {
    record.instance.flatMap { Self.words($0, node: record.node, app: app) }
  }

  private static func words(_ id: InstanceID?, node: Int, app: UInt32) -> String? {
    guard let names = WatchedNames.node(node, app: app) else { return nil }
    let plugin = names.feature.prefix { $0 != "." }
    return "plugin '\(plugin)', feature '\(names.feature)', node '\(names.name)'"
      + (id.map { " #\($0)" } ?? "")
  }

  /// What was asked of the feature, besides an action.
  var callWords: String {
    switch record.kind {
    case .none: "in an effect"
    case .action: "in its reducer"
    case .initialState: "making the state of a new instance"
    case .didStart: "in 'didStart'"
    case .screen: "making its screen"
    case .takeOver: "taking a state over from the build before"
    case .didRestore: "in 'didRestore'"
    case .willEnd: "in 'willEnd'"
    case .encode: "coding its state"
    }
  }
}
