@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
internal import Synchronization

/// Names the feature whose code ended the process: the last line on standard error.
///
/// A trap or a fault in a plugin ends the process, since the plugin's code is part of it. What can be
/// done is to say whose it was.
public enum FaultNaming {
  private static let signals: [Int32] = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// The handlers there were before, by the signal's number.
  private nonisolated(unsafe) static let before = {
    let memory = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    memory.initialize(repeating: sigaction(), count: 65)
    return memory
  }()

  private static let installOnce: Void = {
    _ = before
    InterruptionDesk.prepare()
    WatchThread.shared.start()
    for signal in signals {
      var current = sigaction()
      guard sigaction(signal, nil, &current) == 0 else { continue }
      before[Int(signal)] = current
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = { number, info, context in
        FaultNaming.handle(number, info, context)
      }
      action.sa_flags = Int32(SA_SIGINFO) | Int32(SA_ONSTACK) | Int32(SA_NODEFER)
      sigaction(signal, &action, nil)
    }
  }()

  /// Takes the signals of crashes over, for the whole process; again, it does nothing.
  ///
  /// Handlers that were there are called first: the line comes after what they print. A host that
  /// has handlers of its own installs them before.
  public static func install() { _ = installOnce }

  /// Runs in a handler: no allocation, no lock.
  private static func handle(
    _ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    // Of two threads the first one tells; a fault in here ends the process as it would have.
    if InterruptionDesk.isEnding.exchange(true, ordering: .sequentiallyConsistent) {
      end(number, info)
      return
    }
    let old = before[Int(number)]
    let address = unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self)
    if address != 0, address != 1 {
      if old.sa_flags & Int32(SA_SIGINFO) != 0 {
        old.__sigaction_handler.sa_sigaction(number, info, context)
      } else {
        old.__sigaction_handler.sa_handler(number)
      }
    }
    InterruptionDesk.leave(signal: number, patience: 3)
    end(number, info)
  }

  /// Lets the signal do what it does by itself.
  private static func end(_ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?) {
    var action = sigaction()
    sigemptyset(&action.sa_mask)
    sigaction(number, &action, nil)
    // A fault happens again on return; what was sent is sent again.
    let isFault = info.map { $0.pointee.si_code > 0 && $0.pointee.si_code != 0x80 } ?? false
    let faults = number == SIGILL || number == SIGSEGV || number == SIGBUS || number == SIGFPE
    if !(isFault && faults) { _ = raise(number) }
  }
}
