internal import Glibc
internal import Support

/// Handlers for the signals that end a process: they give the terminal back, and then let the
/// signal do what it would have done.
enum EndingHandlers {
  /// What a person or the system sends, and what a crash is.
  private static let signals: [Int32] = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS,
    SIGXCPU, SIGXFSZ, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGPIPE,
  ]

  /// The handlers there were before, by the signal's number.
  private nonisolated(unsafe) static let before = {
    let memory = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    memory.initialize(repeating: sigaction(), count: 65)
    return memory
  }()

  private static let installOnce: Void = {
    _ = before
    atexit { SavedTerminal.shared.restore() }
    for signal in signals {
      var current = sigaction()
      guard sigaction(signal, nil, &current) == 0 else { continue }
      // What is ignored does not end the process.
      if unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
      before[Int(signal)] = current
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = { number, info, _ in
        EndingHandlers.handle(number, info)
      }
      // On another stack where the thread has one: its own may be what ran out.
      action.sa_flags = Int32(SA_SIGINFO) | Int32(SA_ONSTACK)
      sigaction(signal, &action, nil)
    }
    SignalMask.unblock(signals)
  }()

  /// Installs them; again, it does nothing.
  static func install() { _ = installOnce }

  /// Runs in a handler: no allocation, no lock.
  private static func handle(_ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?) {
    let reason = errno
    SavedTerminal.shared.restore()
    _ = sigaction(number, before + Int(number), nil)
    // A fault happens again on return, now with its own handler or none; what was sent is sent
    // again, and comes when this handler is done.
    let isFault = info.map { $0.pointee.si_code > 0 && $0.pointee.si_code != 0x80 } ?? false
    let faults = number == SIGILL || number == SIGSEGV || number == SIGBUS || number == SIGFPE
    if !(isFault && faults) { _ = raise(number) }
    errno = reason
  }
}
