internal import Glibc
internal import Navigation
internal import Synchronization

/// The end of the process by `exit`: of the program's own accord, or by a plugin.
package enum ProcessExit {
  /// How long exit handlers may take, which may be a plugin's, in seconds.
  private static let patience = 3
  private static let isOurs = Atomic<Bool>(false)
  private static let isTelling = Atomic<Bool>(false)
  private static let status = Atomic<Int32>(0)

  /// From now on an `exit` that is not this type's is reported with its caller, and the status is 70.
  ///
  /// - Returns: whether it could be seen to.
  @discardableResult
  package static func install() -> Bool {
    InterruptionDesk.prepare()
    return atexit { ProcessExit.handleExit() } == 0
  }

  /// Ends the process; exit handlers run, for some seconds at most.
  package static func exit(_ status: Int32) -> Never {
    isOurs.store(true, ordering: .sequentiallyConsistent)
    self.status.store(status, ordering: .sequentiallyConsistent)
    WorkerPage.current?.stage = .ending
    limitHandlers()
    Glibc.exit(status)
  }

  /// Has a timer end the process should a handler not return; it needs no thread.
  private static func limitHandlers() {
    ProcessSignals.install([SIGALRM], evenIfIgnored: true)
    _ = alarm(UInt32(patience))
  }

  /// Whether exit handlers run, and SIGALRM ends them.
  static var isLimited: Bool { isOurs.load(ordering: .sequentiallyConsistent) }

  /// Ends the process in spite of an exit handler that does not return; in a signal's handler.
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
    caller.take(signal: 0)
    let found = caller
    if let page = WorkerPage.current {
      // The app continues in another process: nothing has to be saved here.
      found.tellSupervisor(on: page, cause: "it called 'exit'")
      _exit(70)
    }
    // The line that says who it was is the last one.
    EndingSignals.end(for: .exit(onAppThread: WatchedThreads.own != nil)) { _ in
      PluginOutput.drain()
      found.tellEnd(by: "it called 'exit'")
      return 70
    }
  }
}
