internal import Glibc
internal import Support
internal import Synchronization

// The code that runs in the signal handler, which must not allocate or lock.
extension ProcessSignals {
  /// The disposition of a signal.
  enum Effect {
    /// The default action.
    case ownEffect
    case ignoring
    case handler
  }

  static func effect(of action: sigaction) -> Effect {
    switch unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) {
    case 0: .ownEffect
    case 1: .ignoring
    default: .handler
    }
  }

  static func handle(
    _ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    let reason = errno
    respond(to: number, info, context)
    errno = reason
  }

  private static func respond(
    to number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    if forwarded.contains(number) {
      return write(
        entries[Int(number)].notice, to: forwardTarget.load(ordering: .sequentiallyConsistent))
    }
    switch number {
    case ThreadProbe.signal: return ThreadProbe.answer()
    case SIGALRM where ProcessExit.isLimited: ProcessExit.giveUpWaiting()
    case SIGTSTP: return stop()
    case SIGWINCH, SIGCONT: return callFormer(number, info, context)
    default: break
    }
    let hasFormer = effect(of: entries[Int(number)].former) != .ownEffect
    let isRequest = requests.contains(number)
    let wasTaken = restoreTerminal(forGood: !isRequest && !hasFormer || faults.contains(number))
    if isRequest {
      let target = requestTarget.load(ordering: .sequentiallyConsistent)
      return write(UInt8(truncatingIfNeeded: number), to: target)
    }
    if faults.contains(number) {
      FaultNaming.report(number) { callFormer(number, info, context) }
      // Reporting takes a while, in which another thread may have taken the terminal over.
      _ = restoreTerminal(forGood: true)
      return end(by: number, info)
    }
    switch effect(of: entries[Int(number)].former) {
    case .ownEffect: end(by: number, info)
    case .ignoring: break
    case .handler:
      callFormer(number, info, context)
      // The process continues.
      if wasTaken { terminal.pointee.retake() }
    }
  }

  private static func restoreTerminal(forGood: Bool) -> Bool {
    hasTerminal.load(ordering: .sequentiallyConsistent) && terminal.pointee.restore(forGood)
  }

  private static func write(_ byte: UInt8, to descriptor: Int32) {
    var byte = byte
    _ = Glibc.write(descriptor, &byte, 1)
  }

  private static func callFormer(
    _ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    let former = entries[Int(number)].former
    guard effect(of: former) == .handler else { return }
    if former.sa_flags & Int32(SA_SIGINFO) != 0 {
      former.__sigaction_handler.sa_sigaction(number, info, context)
    } else {
      former.__sigaction_handler.sa_handler(number)
    }
  }

  /// Makes the default action of a signal end the process, at the latest when this handler returns.
  private static func end(by number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?) {
    reset(number)
    // A fault recurs when the handler returns; a signal that was sent has to be raised again.
    // A positive code means that the kernel reports a fault; 0x80 is SI_KERNEL.
    // Without `map`, which makes a type at its first use: that allocates.
    var isFault = false
    if let info { isFault = info.pointee.si_code > 0 && info.pointee.si_code != 0x80 }
    let recurs = number == SIGILL || number == SIGSEGV || number == SIGBUS || number == SIGFPE
    if !(isFault && recurs) { _ = raise(number) }
  }

  private static func reset(_ number: Int32) { signal(number, SIG_DFL) }

  /// Handles SIGTSTP: restores the terminal, stops the process, and takes the terminal over again
  /// when it continues.
  private static func stop() {
    let wasTaken = restoreTerminal(forGood: false)
    var own = sigaction()
    sigaction(SIGTSTP, nil, &own)
    reset(SIGTSTP)
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    _ = raise(SIGTSTP)
    stopping.store(true, ordering: .sequentiallyConsistent)
    // The signal is delivered when it is unblocked, and stops the process here.
    pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    stopping.store(false, ordering: .sequentiallyConsistent)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    sigaction(SIGTSTP, &own, nil)
    if wasTaken { terminal.pointee.retake() }
  }

  /// Ends the process by the default action of a signal, even if it has a handler.
  package static func end(by signal: Int32) {
    reset(signal)
    raise(signal)
  }

  /// Whether SIGTSTP is stopping this process, or has just been continued.
  package static var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

  /// Stops the whole process group, as Ctrl-Z does on a terminal; returns when it continues.
  package static func stopJob() {
    SignalMask.unblock([SIGTSTP])
    kill(0, SIGTSTP)
  }
}
