internal import Glibc
internal import Navigation
internal import Synchronization

/// The end of the process by `exit`, called by the program itself or by a plugin.
package enum ProcessExit {
  /// How long exit handlers may take, in seconds; plugins may have installed some.
  private static let patience = 3
  private static let isOurs = Atomic<Bool>(false)
  private static let isTelling = Atomic<Bool>(false)
  private static let status = Atomic<Int32>(0)

  /// Reports calls of `exit` by other code than ``exit(_:)``, with the caller; their status is 70.
  ///
  /// - Returns: whether the exit handler could be installed.
  @discardableResult
  package static func install() -> Bool {
    InterruptionHandoff.prepare()
    return atexit { ProcessExit.handleExit() } == 0
  }

  /// Ends the process; exit handlers run for 3 s at most.
  package static func exit(_ status: Int32) -> Never {
    isOurs.store(true, ordering: .sequentiallyConsistent)
    self.status.store(status, ordering: .sequentiallyConsistent)
    WorkerPage.current?.stage = .ending
    limitHandlers()
    Glibc.exit(status)
  }

  /// Starts an alarm that ends the process if a handler does not return; it needs no thread.
  private static func limitHandlers() {
    ProcessSignals.install([SIGALRM], evenIfIgnored: true)
    _ = alarm(UInt32(patience))
  }

  /// Whether exit handlers are running, so that SIGALRM ends the process.
  static var isLimited: Bool { isOurs.load(ordering: .sequentiallyConsistent) }

  /// Ends the process although an exit handler has not returned; called in a signal handler.
  static func giveUpWaiting() -> Never {
    let text: StaticString = "appcore: ended without waiting any longer for an exit handler\n"
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    _exit(status.load(ordering: .relaxed))
  }

  private static func handleExit() {
    guard !isOurs.load(ordering: .sequentiallyConsistent),
      !isTelling.exchange(true, ordering: .sequentiallyConsistent)
    else { return }
    EndingSignals.giveWay()
    var caller = Interruption()
    caller.capture(signal: 0)
    let found = caller
    if let page = WorkerPage.current {
      // The supervisor continues the app in another process: nothing has to be saved here.
      found.writeReport(on: page, cause: "it called 'exit'")
      _exit(70)
    }
    // The line that names the caller has to be the last one.
    EndingSignals.end(for: .exit(onAppThread: WatchedThreads.own != nil)) { _ in
      PluginOutput.drain()
      found.reportEnd(by: "it called 'exit'")
      return 70
    }
  }
}
