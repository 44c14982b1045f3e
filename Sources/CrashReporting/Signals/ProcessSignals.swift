internal import Glibc
internal import Support
internal import Synchronization

/// The one owner of the process's signals: no other code installs a handler.
///
/// All signals have the same handler. What it does is what was asked for, the first of these:
/// 1. ``forward(_:to:)``: the signal becomes a byte for whoever waits on a descriptor.
/// 2. SIGURG asks a thread where it is (``Inquiry``), SIGALRM ends exit handlers (``ProcessExit``).
/// 3. ``guardTerminal(restore:retake:)``: what ends or stops the process gives the terminal back first.
/// 4. ``report(_:to:)``: a request to end becomes a byte for ``EndingSignals``.
/// 5. ``nameFaults(_:)``: the line that names whose code has failed is written (``FaultNaming``).
/// 6. What there was before: a handler of the program that this one is part of, or what the signal
///    does by itself.
///
/// A signal that is ignored when it is asked for stays ignored, as `nohup` wants it, unless it is
/// forwarded.
package enum ProcessSignals {
  /// What is known of a signal.
  struct Entry {
    var isInstalled = false
    /// What there was before.
    var former = sigaction()
    /// What is forwarded.
    var notice: UInt8 = 0
  }

  /// A set of signals that a handler can read.
  struct SignalSet: ~Copyable {
    private let bits = Atomic<UInt64>(0)

    func contains(_ signal: Int32) -> Bool {
      bits.load(ordering: .sequentiallyConsistent) & Self.bit(signal) != 0
    }

    func insert(_ signals: [Int32]) {
      bits.bitwiseOr(signals.reduce(0) { $0 | Self.bit($1) }, ordering: .sequentiallyConsistent)
    }

    func removeAll() { bits.store(0, ordering: .sequentiallyConsistent) }

    private static func bit(_ signal: Int32) -> UInt64 { 1 << UInt64(signal - 1) }
  }

  /// How a terminal is given back and taken again; for handlers.
  struct Terminal {
    let restore: @convention(c) (_ forGood: Bool) -> Bool
    let retake: @convention(c) () -> Void
  }

  private static let limit = 65
  /// By the signal's number; plain memory, because the handler reads it.
  static nonisolated(unsafe) let entries = {
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: limit)
    memory.initialize(repeating: Entry(), count: limit)
    return memory
  }()
  static let forwarded = SignalSet()
  static let forwardTarget = Atomic<Int32>(-1)
  static let requests = SignalSet()
  static let requestTarget = Atomic<Int32>(-1)
  static let faults = SignalSet()
  /// Written once, before ``hasTerminal``.
  static nonisolated(unsafe) let terminal = UnsafeMutablePointer<Terminal>.allocate(capacity: 1)
  static let hasTerminal = Atomic<Bool>(false)

  private static let installing = Mutex(())

  /// All signals that end a process unless something is done about them; a real-time signal does, too.
  private static let endings: [Int32] = (1...64).filter { signal in
    switch signal {
    // They can't be caught, or they stop the process, or do nothing.
    case SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCHLD, SIGCONT, SIGURG, SIGWINCH: false
    // The C library's own.
    case 32, 33: false
    default: true
    }
  }

  /// Forwards signals: each comes as its byte on a descriptor, until ``stopForwarding()``.
  ///
  /// There is one descriptor at a time, and its writing end must not block. A signal that is forwarded
  /// does nothing else: the terminal is left as it is.
  package static func forward(_ notices: [Int32: UInt8], to descriptor: Int32) {
    stopForwarding()
    for (signal, notice) in notices { entries[Int(signal)].notice = notice }
    forwardTarget.store(descriptor, ordering: .sequentiallyConsistent)
    forwarded.insert(Array(notices.keys))
    install(Array(notices.keys), evenIfIgnored: true)
  }

  /// From now on the signals that were forwarded do what else was asked for.
  package static func stopForwarding() {
    forwarded.removeAll()
    forwardTarget.store(-1, ordering: .sequentiallyConsistent)
  }

  /// Has a terminal given back before a signal ends or stops the process, and taken again where it
  /// continues; call it again, and it does nothing.
  ///
  /// Both are called in a handler: they allocate nothing, take no lock, and use nothing that is only
  /// made when it is used.
  ///
  /// - Parameters:
  ///   - restore: gives the terminal back, for good where the process ends; returns whether it was
  ///     taken.
  ///   - retake: takes it again.
  package static func guardTerminal(
    restore: @escaping @convention(c) (_ forGood: Bool) -> Bool,
    retake: @escaping @convention(c) () -> Void
  ) {
    let isFirst = installing.withLock { _ in
      guard !hasTerminal.load(ordering: .relaxed) else { return false }
      terminal.initialize(to: Terminal(restore: restore, retake: retake))
      hasTerminal.store(true, ordering: .sequentiallyConsistent)
      return true
    }
    if isFirst { install(endings + [SIGTSTP]) }
  }

  /// Has requests to end written, each as its number, to a descriptor whose writing end must not block.
  static func report(_ signals: [Int32], to descriptor: Int32) {
    requestTarget.store(descriptor, ordering: .sequentiallyConsistent)
    requests.insert(signals)
    install(signals)
  }

  /// Has it told whose code has failed when one of these signals ends the process.
  ///
  /// What the handlers that were there before print comes first.
  static func nameFaults(_ signals: [Int32]) {
    faults.insert(signals)
    install(signals)
  }

  /// Lets writing to a pipe that nobody reads, and beyond the limit of a file's size, fail with an
  /// error instead of ending the process.
  package static func ignoreFailedWrites() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = SIG_IGN
    for signal in [SIGPIPE, SIGXFSZ] { sigaction(signal, &action, nil) }
  }

  /// Installs the handler, where it is not yet, and lets the signals in on this thread.
  static func install(_ signals: [Int32], evenIfIgnored: Bool = false) {
    installing.withLock { _ in
      for signal in signals where !entries[Int(signal)].isInstalled {
        var current = sigaction()
        guard sigaction(signal, nil, &current) == 0 else { continue }
        if !evenIfIgnored, effect(of: current) == .ignoring { continue }
        entries[Int(signal)].former = current
        entries[Int(signal)].isInstalled = true
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { number, info, context in
          ProcessSignals.handle(number, info, context)
        }
        // On another stack where the thread has one: its own may be what ran out.
        action.sa_flags = Int32(SA_SIGINFO) | Int32(SA_ONSTACK) | SA_RESTART
        // A fault within the handler is to end the process with its own signal.
        if isFault(signal) { action.sa_flags |= Int32(SA_NODEFER) }
        sigaction(signal, &action, nil)
      }
    }
    SignalMask.unblock(signals)
  }

  /// Whether a signal is what the processor does about code that fails.
  static func isFault(_ signal: Int32) -> Bool {
    [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV].contains(signal)
  }
}
