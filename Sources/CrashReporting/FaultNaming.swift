internal import Glibc
internal import Navigation
internal import Synchronization

/// Names the feature whose code ended the process: the last line on standard error.
///
/// A trap or a fault in a plugin ends the process, since the plugin's code is part of it. What can be
/// done is to say whose it was.
public enum FaultNaming {
  private static let installOnce: Void = {
    InterruptionDesk.prepare()
    WatchThread.shared.start()
    ProcessSignals.nameFaults([SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV])
  }()

  /// Takes the signals of crashes over, for the whole process; again, it does nothing.
  ///
  /// Handlers that were there are called first: the line comes after what they print. A host that
  /// has handlers of its own installs them before.
  public static func install() { _ = installOnce }

  /// How long a thread waits for another one that has failed before it, in tenths of a second.
  private static let patience = 300

  /// Tells whose code has failed, after `former` has run, in a handler: no allocation, no lock.
  static func tell(of signal: Int32, after former: () -> Void) {
    switch InterruptionDesk.take() {
    case .first:
      // On a terminal the toolchain's own would wait for a key, and the app is to continue at once.
      if WorkerPage.current == nil { former() }
      InterruptionDesk.leave(signal: signal, patience: 3)
    case .another:
      // The first thread to fail tells, and ends the process.
      for _ in 0..<patience { usleep(100_000) }
    case .again: break
    }
  }
}
