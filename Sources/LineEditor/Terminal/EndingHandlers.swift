internal import Glibc
internal import Support

/// Handlers for the signals that end a process: they give the terminal back, and then let the
/// signal do what it would have done.
enum EndingHandlers {
  /// All signals that end a process unless something is done about them; a real-time signal does, too.
  private static let signals: [Int32] = (1...64).filter { signal in
    switch signal {
    // They can't be caught, or they stop the process, or do nothing.
    case SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCHLD, SIGCONT, SIGURG, SIGWINCH: false
    // The C library's own.
    case 32, 33: false
    default: true
    }
  }

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
    installStopping()
    SignalMask.unblock(signals + [SIGTSTP])
  }()

  /// A stop that comes from elsewhere than Ctrl-Z gives the terminal back, too.
  private static func installStopping() {
    var action = sigaction()
    guard sigaction(SIGTSTP, nil, &action) == 0,
      unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1
    else { return }
    action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      let reason = errno
      let isActive = SavedTerminal.shared.isActive
      SavedTerminal.shared.restore()
      EndingHandlers.stop()
      if isActive { SavedTerminal.shared.retake() }
      errno = reason
    }
    action.sa_flags = SA_RESTART | Int32(SA_ONSTACK)
    sigaction(SIGTSTP, &action, nil)
  }

  /// Stops the process as the signal does by itself; returns when it goes on.
  private static func stop() {
    var action = sigaction()
    var own = sigaction()
    sigemptyset(&action.sa_mask)
    sigaction(SIGTSTP, &action, &own)
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    _ = raise(SIGTSTP)
    // It comes now.
    pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    sigaction(SIGTSTP, &own, nil)
  }

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
