@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
internal import PluginHost
internal import Synchronization

/// A record of what a thread was doing when a signal or a call of `exit` interrupted it.
///
/// A signal handler may do almost nothing, so it only records the thread's state and wakes the
/// watch thread, which writes the message. The recorded action stays alive while the thread is
/// stopped.
struct ThreadSnapshot: @unchecked Sendable {
  // Unchecked: only plain values of the record are read, and the action only while it is alive.
  /// The signal that ends the process; 0 for a probe or a call of `exit`.
  var signal: Int32 = 0
  var record = CallRecord()
  /// The app of the record; 0 if the thread does not run a store.
  var app: UInt32 = 0
  /// The call stack of the thread; empty if it was not recorded.
  var trace: CallTrace
  /// The instance whose effect the thread was running.
  var scope: InstanceScope?
  /// The stage of the plugin that the thread was loading; `nil` if it was loading none.
  var staged: WatchedThreads.Entry?

  /// Creates an empty record.
  ///
  /// - Parameter trace: what call stacks are recorded into; the default records none.
  init(trace: CallTrace = CallTrace()) { self.trace = trace }
}

/// Passes a snapshot from a signal handler to another thread, which describes it in words.
struct SnapshotHandoff: @unchecked Sendable {
  // Unchecked: `slot` is written before `written` is posted, and read before `handled` is.
  /// The snapshot of the crash that ends the process, which the watch thread takes.
  ///
  /// Its ``written`` also wakes that thread when a watchdog is added, and when the process is to be
  /// ended.
  static let crash = SnapshotHandoff()
  static let answer = SnapshotHandoff()
  let slot: UnsafeMutablePointer<ThreadSnapshot>
  let written = Self.semaphore()
  /// Posted when ``slot`` has been read.
  let handled = Self.semaphore()
  /// The thread whose crash ends the process, or 0; it never changes once it is set.
  private static let endingThread = Atomic<UInt>(0)
  /// The watch thread, or 0 if it has not started.
  static let watchThread = Atomic<UInt>(0)

  private init() {
    slot = .allocate(capacity: 1)
    slot.initialize(to: ThreadSnapshot(trace: .recordable()))
  }

  /// Whether a thread has crashed, so that the process is about to end.
  static var isEnding: Bool { endingThread.load(ordering: .sequentiallyConsistent) != 0 }

  /// Whether the snapshot of that crash is complete: a thread may be interrupted while it writes it.
  static var isCrashWritten: Bool { crashIsWritten.load(ordering: .sequentiallyConsistent) }
  private static let crashIsWritten = Atomic<Bool>(false)

  /// Makes the calling thread the one whose crash ends the process, if it is the first to crash.
  ///
  /// Runs in a signal handler.
  ///
  /// - Returns: `false` if another thread crashed first, which has not ended the process within
  ///   30 s, or if nothing more can be reported.
  static func claimEnd() -> Bool {
    let own = UInt(pthread_self())
    let (isFirst, holder) = endingThread.compareExchange(
      expected: 0, desired: own, ordering: .sequentiallyConsistent)
    if isFirst { return true }
    // This thread crashed before, or it is the watch thread, which should report the first crash.
    if holder == own || watchThread.load(ordering: .sequentiallyConsistent) == own { return false }
    for _ in 0..<300 { usleep(100_000) }
    return false
  }

  private static func semaphore() -> UnsafeMutablePointer<sem_t> {
    let memory = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    memory.initialize(to: sem_t())
    sem_init(memory, 0, 0)
    return memory
  }

  /// Initializes everything that a signal handler accesses; call it before installing a handler.
  static func prepare() {
    _ = (crash, answer, WatchedThreads.entries, GNUFunctions.waitForSemaphore)
    // The first use registers types with the runtime, and the unwinder with the C library, which allocates
    // and takes locks.
    _ = RunningEffect.scope(as: InstanceScope.self)
    _ = SharedCrashPage.current
    var rehearsal = ThreadSnapshot()
    rehearsal.capture(signal: 0)
  }

  /// Writes what the calling thread is doing to ``slot``, and waits until another thread has read
  /// it.
  ///
  /// Runs in a signal handler, so it must not allocate or lock. The signal is 0 for a probe, and the
  /// timeout is in milliseconds.
  func handOver(signal: Int32, timeout: Int, tracesCalls: Bool = true) {
    slot.pointee.capture(signal: signal, tracesCalls: tracesCalls)
    if slot == Self.crash.slot {
      Self.crashIsWritten.store(true, ordering: .sequentiallyConsistent)
    }
    Self.drain(handled)
    sem_post(written)
    Self.wait(for: handled, milliseconds: timeout)
  }

  /// Discards posts that came after an earlier wait had timed out.
  static func drain(_ semaphore: UnsafeMutablePointer<sem_t>) {
    while sem_trywait(semaphore) == 0 {}
  }

  /// Waits for a semaphore.
  ///
  /// - Returns: `false` if the wait timed out.
  @discardableResult
  static func wait(for semaphore: UnsafeMutablePointer<sem_t>, milliseconds: Int) -> Bool {
    // The time of day may be set back meanwhile, by hours; `sem_timedwait` knows no other clock.
    let wait = GNUFunctions.waitForSemaphore
    var end = timespec()
    clock_gettime(wait == nil ? CLOCK_REALTIME : CLOCK_MONOTONIC, &end)
    end.tv_nsec += (milliseconds % 1000) * 1_000_000
    end.tv_sec += milliseconds / 1000 + end.tv_nsec / 1_000_000_000
    end.tv_nsec %= 1_000_000_000
    while wait?(semaphore, CLOCK_MONOTONIC, &end) ?? sem_timedwait(semaphore, &end) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }
}

extension ThreadSnapshot {
  /// Records what the calling thread is doing.
  ///
  /// Callable in a signal handler, so it must not allocate or lock.
  mutating func capture(signal: Int32, tracesCalls: Bool = true) {
    let own = WatchedThreads.own
    self.signal = signal
    if tracesCalls { trace.capture() } else { trace.clear() }
    app = own?.app ?? 0
    record = own?.record?.pointee ?? CallRecord()
    scope = record.kind == .none ? RunningEffect.scope(as: InstanceScope.self) : nil
    staged = WatchedThreads.ownStage
  }

  /// The feature or plugin whose code was running, and the call, in words.
  ///
  /// `nil` if no plugin's code is known to have been running.
  var culprit: String? {
    if let owner { return "\(owner), \(callWords)" }
    if let stage = staged?.stage, let plugin = staged?.plugin {
      return "plugin '\(String(cString: plugin))', \(stage.words)"
    }
    // The lookup needs the dynamic loader's lock, which a stopped thread may hold.
    guard !WatchedThreads.isLoading else { return nil }
    return trace.pluginPlace(of: nil).map {
      "plugin '\($0.plugin)', outside of its features' calls"
    }
  }

  /// The place in the plugin's code that was running; `nil` if it is unknown.
  var place: CallTrace.Place? {
    guard !WatchedThreads.isLoading else { return nil }
    return trace.pluginPlace(of: node?.plugin ?? staged?.plugin.map { String(cString: $0) })?.place
  }

  /// The feature that was running, in words; `nil` if none was.
  var owner: String? {
    node.map { Self.words($0, instance) }
  }

  /// The node whose feature was running; `nil` if none was.
  var node: WatchedApp.Node? {
    record.kind != .none
      ? WatchedApp.node(record.node, app: app)
      : scope.flatMap { WatchedApp.node(Int($0.node), app: $0.app) }
  }

  /// The instance of ``node``.
  var instance: InstanceID? { record.kind != .none ? record.instance : scope?.id }

  /// The feature that the store's thread called last, in words; `nil` if it has called none.
  var lastOwner: String? {
    record.instance.flatMap { id in
      WatchedApp.node(record.node, app: app).map { Self.words($0, id) }
    }
  }

  private static func words(_ node: WatchedApp.Node, _ id: InstanceID?) -> String {
    "plugin '\(node.plugin)', feature '\(node.feature)', node '\(node.name)'"
      + (id.map { " #\($0)" } ?? "")
  }

  /// The kind of call, in words; an effect if no call was recorded.
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
