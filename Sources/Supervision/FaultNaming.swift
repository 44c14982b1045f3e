internal import Glibc
internal import Synchronization

/// Names the feature whose code crashed the process, in the last line on standard error.
///
/// A trap or fault in a plugin ends the whole process, since the plugin is loaded into it; all that
/// can be done is to report which plugin it was.
public enum FaultNaming {
  private static let installOnce: Void = {
    // Another thread may be starting the one below: what handlers use has to be there.
    SnapshotHandoff.prepare()
    WatchThread.start()
    ProcessSignals.nameFaults()
  }()

  /// Installs handlers for the signals of crashes, for the whole process; further calls do nothing.
  ///
  /// Handlers that the host installed before run first, so that the line comes after their output,
  /// unless the process has a supervisor or `skipsFormer`: the toolchain's backtracer, for example,
  /// waits for a key on a terminal. Handlers that the host installs later replace these.
  public static func install(skipsFormer: Bool = false) {
    if skipsFormer { self.skipsFormer.store(true, ordering: .relaxed) }
    _ = installOnce
  }

  private static let skipsFormer = Atomic<Bool>(false)

  /// Reports whose code has crashed, after running `former`, the handler that was installed before.
  ///
  /// Runs in a signal handler, so it must not allocate or lock.
  static func report(_ signal: Int32, after former: () -> Void) {
    guard SnapshotHandoff.claimEnd() else { return }
    // Skipped under a supervisor, which restarts the app at once.
    if SharedCrashPage.current == nil, !skipsFormer.load(ordering: .relaxed) { former() }
    SnapshotHandoff.crash.handOver(signal: signal, timeout: 3000)
  }
}
