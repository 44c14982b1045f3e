internal import Glibc
internal import Support
internal import Synchronization

/// The thread that reports crashes, and checks whether apps still respond.
package enum WatchThread {
  private static let isStarted = Atomic<Bool>(false)

  /// Starts the thread; further calls do nothing and return `nil`.
  ///
  /// - Returns: the error number if the thread can't be created; otherwise `nil`.
  @discardableResult
  package static func start() -> Int32? {
    guard !isStarted.exchange(true, ordering: .sequentiallyConsistent) else { return nil }
    SnapshotHandoff.prepare()
    return DetachedThread.start { run() }
  }

  /// Adds the watchdog of an app, and replaces the app's former one.
  package static func add(_ watchdog: Watchdog) {
    WatchedApp.update(watchdog.app) { $0.watchdog = watchdog }
    wake()
  }

  package static func remove(app: UInt32) {
    WatchedApp.update(app) { $0.watchdog = nil }
    if app == 1 { SharedCrashPage.current?.progress = 0 }
  }

  /// Makes the thread check at once: it may be waiting for a longer interval than a new watchdog's.
  static func wake() { sem_post(SnapshotHandoff.crash.written) }

  private static func run() {
    SnapshotHandoff.watchThread.store(UInt(pthread_self()), ordering: .sequentiallyConsistent)
    // Other threads handle the signals to the process. The signal with which a backtracer stops all
    // threads is not blocked.
    var others = sigset_t()
    sigemptyset(&others)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT, SIGURG] {
      sigaddset(&others, signal)
    }
    pthread_sigmask(SIG_BLOCK, &others, nil)
    var looks: UInt = 0
    while true {
      StartGuard.look()
      let watchdogs = WatchedApp.all.compactMap(\.watchdog)
      // Without apps, only `StartGuard` needs regular checks.
      let interval = watchdogs.map(\.interval).min() ?? 1000
      // A new watchdog wakes the thread too, and may do so while a thread writes about its crash.
      if SnapshotHandoff.wait(for: SnapshotHandoff.crash.written, milliseconds: interval),
        SnapshotHandoff.isCrashWritten
      {
        reportEnd()
        sem_post(SnapshotHandoff.crash.handled)
      }
      OwnDescriptors.endIfClosed()
      for watchdog in watchdogs { watchdog.look() }
      looks &+= 1
      SharedCrashPage.current?.looks = looks
    }
  }

  private static func reportEnd() {
    let crash = SnapshotHandoff.crash.slot.pointee
    guard let page = SharedCrashPage.current, page.stage != .ending else {
      PluginOutput.drain()
      return crash.reportEnd(by: crash.signalName)
    }
    // What was closed makes libraries crash in which no feature has a part.
    if let cause = OwnDescriptors.lost, crash.culprit == nil {
      return (WatchedThreads.latest ?? ThreadSnapshot())
        .writeReport(on: page, cause: cause, blamesLast: true)
    }
    crash.writeReport(on: page)
  }
}
