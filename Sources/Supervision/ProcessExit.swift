@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
internal import Synchronization

/// Handles the end of the process by `exit`, whether the program or a plugin calls it.
package enum ProcessExit {
  /// How long exit handlers, which plugins may have installed, may take, in seconds.
  private static let timeout = 3
  /// Whether the program itself has called ``exit(_:)``.
  private static let isOurs = Atomic<Bool>(false)
  private static let isTelling = Atomic<Bool>(false)
  private static let status = Atomic<Int32>(0)

  /// Reports calls of `exit` other than through ``exit(_:)``, with the calling code.
  ///
  /// The process then ends with status 70.
  ///
  /// - Returns: whether the exit handler could be installed.
  @discardableResult
  package static func install() -> Bool {
    SnapshotHandoff.prepare()
    return atexit {
      if !ProcessExit.isLimited { ProcessExit.end(because: "it called 'exit'") }
    } == 0
  }

  /// Ends the process; exit handlers run for at most 3 s.
  package static func exit(_ status: Int32) -> Never {
    isOurs.store(true, ordering: .sequentiallyConsistent)
    self.status.store(status, ordering: .sequentiallyConsistent)
    SharedCrashPage.current?.stage = .ending
    ProcessSignals.install([SIGALRM], evenIfIgnored: true)
    // A timer whose signal ends the process if an exit handler does not return: it needs no thread,
    // which the system may not grant.
    _ = alarm(UInt32(timeout))
    Glibc.exit(status)
  }

  /// Whether the program has called ``exit(_:)``, after which SIGALRM ends the process.
  static var isLimited: Bool { isOurs.load(ordering: .sequentiallyConsistent) }

  /// Ends the process although an exit handler has not returned; runs in a signal handler.
  static func giveUpWaiting() -> Never {
    let text: StaticString = "appcore: ended without waiting any longer for an exit handler\n"
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    _exit(status.load(ordering: .relaxed))
  }

  /// Handles the end of a thread that has not returned from its body, as by `pthread_exit`.
  ///
  /// That is a crash if it runs an app or an effect: nobody else continues what it has begun.
  /// Threads of a plugin's own may end as they like.
  package static func threadDidExit() {
    let isOurs =
      WatchedThreads.own != nil || RunningEffect.scope(as: InstanceScope.self) != nil
    if isOurs { end(because: "it called 'pthread_exit'") }
  }

  private static func end(because cause: String) {
    guard !isTelling.exchange(true, ordering: .sequentiallyConsistent) else { return }
    EndingSignals.giveWay()
    var caller = ThreadSnapshot(trace: .recordable())
    caller.capture(signal: 0)
    caller.endProcess(because: cause)
  }
}
