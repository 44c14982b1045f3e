internal import Glibc
internal import Synchronization

/// Names the feature whose code crashed the process, in the last line on standard error.
///
/// A trap or fault in a plugin ends the whole process, since the plugin is loaded into it; all that
/// can be done is to report which plugin it was.
public enum FaultNaming {
  private static let installOnce: Void = {
    SnapshotHandoff.prepare()
    WatchThread.shared.start()
    ProcessSignals.nameFaults([SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV])
  }()

  /// Installs handlers for the signals of crashes, for the whole process; further calls do nothing.
  ///
  /// Handlers that the host installed before run first, so that the line comes after their output,
  /// unless the process has a supervisor. Handlers that the host installs later replace these.
  public static func install() { _ = installOnce }

  /// Installs the same handlers, and skips those that were installed before, such as the toolchain's
  /// backtracer, which waits for a key on a terminal.
  public static func installWithoutBacktraces() {
    skipsFormer.store(true, ordering: .relaxed)
    install()
  }

  private static let skipsFormer = Atomic<Bool>(false)

  /// How long a crashed thread waits while another one, which crashed first, ends the process, in
  /// tenths of a second.
  private static let timeout = 300

  /// Reports whose code has crashed, after running `former`, the handler that was installed before.
  ///
  /// Runs in a signal handler, so it must not allocate or lock.
  static func report(_ signal: Int32, after former: () -> Void) {
    switch SnapshotHandoff.claimEnd() {
    case .first:
      // Skipped under a supervisor, which restarts the app at once: on a terminal the toolchain's
      // backtracer would wait for a key.
      if SharedCrashPage.current == nil, !skipsFormer.load(ordering: .relaxed) { former() }
      SnapshotHandoff.handOver(signal: signal, timeout: 3)
    case .another:
      // The thread that crashed first reports its crash, and ends the process.
      awaitEnd()
    case .again: break
    }
  }

  /// Waits while another thread, which crashed first, ends the process.
  static func awaitEnd() { for _ in 0..<timeout { usleep(100_000) } }
}
