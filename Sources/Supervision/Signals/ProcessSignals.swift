internal import Glibc
internal import Support
internal import Synchronization

/// The owner of all signal handlers of the program: no other code of it installs one.
///
/// All signals have the same handler, which checks in this order what was requested for a signal:
/// 1. ``forward(_:to:)``: the signal becomes a byte on a descriptor; nothing else happens.
/// 2. SIGURG asks a thread what it is doing (``ThreadProbe``); SIGALRM ends the process if its exit
///    handlers take too long (``ProcessExit``).
/// 3. ``guardTerminal(restore:retake:)``: before a signal ends or stops the process, the terminal
///    is restored.
/// 4. ``report(_:to:)``: a request to end becomes a byte for ``EndingSignals``.
/// 5. ``nameFaults()``: ``FaultNaming`` writes the line that names whose code has crashed.
/// 6. The former disposition: a handler of the embedding program, or the default action.
///
/// A signal that is ignored when its handler would be installed stays ignored, as `nohup` requires.
/// Exceptions are forwarded signals, SIGURG and SIGALRM.
package enum ProcessSignals {
  /// The handler's data about a signal.
  struct Entry {
    var isInstalled = false
    /// The disposition before the handler was installed.
    var former = sigaction()
    /// The byte that is written when the signal is forwarded.
    var notice: UInt8 = 0
  }

  /// A set of signals that a signal handler can read.
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

  /// The functions that restore a terminal's modes and set them again; called in signal handlers.
  struct Terminal {
    let restore: @convention(c) (_ forGood: Bool) -> Bool
    let retake: @convention(c) () -> Void
  }

  private static let limit = 65
  /// The entries by signal number; plain memory, because the handler reads it.
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
  /// Written once, before ``hasTerminal`` is set.
  static nonisolated(unsafe) let terminal = UnsafeMutablePointer<Terminal>.allocate(capacity: 1)
  static let hasTerminal = Atomic<Bool>(false)
  static let stopping = Atomic<Bool>(false)
  private static let installing = Mutex(())

  /// All signals whose default action ends the process, including real-time signals.
  private static let endings: [Int32] = (1...64).filter { signal in
    switch signal {
    // These can't be caught, or don't end the process by default.
    case SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCHLD, SIGCONT, SIGURG, SIGWINCH: false
    // Reserved by the C library.
    case 32, 33: false
    default: true
    }
  }

  /// Forwards signals until ``stopForwarding()``: each writes its byte to a descriptor.
  ///
  /// There is one descriptor at a time, and writing to it must not block. A forwarded signal has no
  /// other effect: the terminal is not restored.
  package static func forward(_ notices: [Int32: UInt8], to descriptor: Int32) {
    stopForwarding()
    for (signal, notice) in notices { entries[Int(signal)].notice = notice }
    forwardTarget.store(descriptor, ordering: .sequentiallyConsistent)
    forwarded.insert(Array(notices.keys))
    install(Array(notices.keys), evenIfIgnored: true)
  }

  /// Stops forwarding; other requests for the signals then apply.
  package static func stopForwarding() {
    forwarded.removeAll()
    forwardTarget.store(-1, ordering: .sequentiallyConsistent)
  }

  /// Restores the terminal before a signal ends or stops the process, and takes it over again if
  /// the process continues; further calls do nothing.
  ///
  /// Both functions run in a signal handler: they must not allocate, block on a lock, or use a
  /// global that is initialized lazily.
  ///
  /// - Parameters:
  ///   - restore: restores the terminal, permanently if `forGood` is `true`; returns whether it had
  ///     been taken over.
  ///   - retake: takes the terminal over again.
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

  /// Makes signals request the end of the process: each writes its number to a descriptor.
  ///
  /// The number is a single byte. Writing to the descriptor must not block.
  static func report(_ signals: [Int32], to descriptor: Int32) {
    requestTarget.store(descriptor, ordering: .sequentiallyConsistent)
    requests.insert(signals)
    install(signals)
  }

  /// The signals that report a fault or an abort of the running code.
  private static let faultSignals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// Reports whose code has crashed when a fault ends the process; see ``FaultNaming``.
  static func nameFaults() {
    faults.insert(faultSignals)
    install(faultSignals)
  }

  /// Ignores SIGPIPE and SIGXFSZ, so that writing to a closed pipe or beyond the file size limit
  /// fails with an error instead of ending the process.
  package static func ignoreFailedWrites() {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  /// Installs the handler for the signals that do not have it yet, and unblocks all of them on the
  /// calling thread.
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
        // SA_ONSTACK: the fault may be a stack overflow.
        action.sa_flags = Int32(SA_SIGINFO) | Int32(SA_ONSTACK) | SA_RESTART
        // Not blocked in its handler: a fault there has to end the process with its own signal.
        if faultSignals.contains(signal) { action.sa_flags |= Int32(SA_NODEFER) }
        sigaction(signal, &action, nil)
      }
    }
    SignalMask.unblock(signals)
  }
}
