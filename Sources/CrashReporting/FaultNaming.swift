internal import Glibc
internal import Navigation
internal import Synchronization

/// Names the feature whose code crashed the process, in the last line on standard error.
///
/// A trap or fault in a plugin ends the whole process, since the plugin is loaded into it; this can
/// only report which plugin it was.
public enum FaultNaming {
  private static let installOnce: Void = {
    InterruptionHandoff.prepare()
    WatchThread.shared.start()
    ProcessSignals.nameFaults([SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV])
  }()

  /// Installs handlers for the signals of crashes, for the whole process; further calls do nothing.
  ///
  /// Existing handlers run first, unless the process has a supervisor, so that the line comes after
  /// their output. A host with its own handlers has to install them before.
  public static func install() { _ = installOnce }

  /// How long a thread waits for another one that crashed before it, in tenths of a second.
  private static let patience = 300

  /// Reports whose code has crashed, after running `former`; in a handler: no allocation, no lock.
  static func tell(of signal: Int32, after former: () -> Void) {
    switch InterruptionHandoff.claimEnd() {
    case .first:
      // Not under a supervisor, which restarts the app at once: on a terminal the toolchain's
      // backtracer would wait for a key.
      if WorkerPage.current == nil { former() }
      InterruptionHandoff.handOver(signal: signal, patience: 3)
    case .another:
      // The first thread that crashed reports, and ends the process.
      for _ in 0..<patience { usleep(100_000) }
    case .again: break
    }
  }
}
