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
  /// The app of the record; 0 where the thread is no store's.
  var app: UInt32 = 0
  /// Where the thread was, if it is to end.
  var trace = CallTrace()
  /// The instance whose effect the thread was at work on.
  var scope: InstanceScope?
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
  /// Whether a thread that ends the process has the desk; it never gives it back.
  static let isEnding = Atomic<Bool>(false)

  private static func semaphore() -> UnsafeMutablePointer<sem_t> {
    let memory = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    memory.initialize(to: sem_t())
    sem_init(memory, 0, 0)
    return memory
  }

  /// Makes everything that a handler touches, before there is one.
  static func prepare() {
    _ = (paper, asked, answered, WatchedThreads.entries)
    // The first time, types are made known to the runtime, which takes locks.
    _ = RunningEffect.scope(as: InstanceScope.self)
    _ = WatchedThreads.own
  }

  /// Leaves where the calling thread is, and waits until it has been written down.
  ///
  /// Runs in a handler: no allocation, no lock.
  static func leave(signal: Int32, patience: Int) {
    let own = WatchedThreads.own
    paper.pointee.signal = signal
    if signal != 0 { paper.pointee.trace.take() }
    paper.pointee.app = own?.app ?? 0
    paper.pointee.record = own?.record?.pointee ?? CallRecord()
    paper.pointee.scope =
      paper.pointee.record.kind == .none ? RunningEffect.scope(as: InstanceScope.self) : nil
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
  /// Who was at work, in words; `nil` where no feature was.
  var owner: String? {
    if record.kind != .none { return Self.words(record.instance, node: record.node, app: app) }
    return scope.flatMap { Self.words($0.id, node: Int($0.node), app: $0.app) }
  }

  /// The plugin that was at work; `nil` where none was.
  var plugin: String? {
    let names =
      record.kind != .none
      ? WatchedNames.node(record.node, app: app)
      : scope.flatMap { WatchedNames.node(Int($0.node), app: $0.app) }
    return names.map { String($0.feature.prefix { $0 != "." }) }
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
    }
  }
}
