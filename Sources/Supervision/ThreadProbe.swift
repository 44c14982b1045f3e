internal import Glibc
internal import Support
internal import Synchronization

/// A signal that asks another thread what it is doing.
package enum ThreadProbe {
  /// The signal that asks.
  ///
  /// SIGURG is rarely used: it reports urgent data on sockets, and is ignored by default.
  package static let signal = SIGURG
  /// Held while a thread is asked: there is one answer at a time.
  private static let asking = Locked(())
  /// Whether an answer is awaited.
  private static let isOpen = Atomic<Bool>(false)
  /// Whether the answer is to include the call stack.
  private static let tracesCalls = Atomic<Bool>(false)

  /// Installs the signal's handler; further calls do nothing.
  package static func install() { ProcessSignals.install([signal], evenIfIgnored: true) }

  /// Asks an app's thread what it is doing, and reads the answer while the thread is stopped.
  ///
  /// The call stack is only for a process that is about to end, since the unwinder may wait for locks
  /// that the thread holds.
  ///
  /// - Returns: the result of `read`; `nil` if the thread is not recorded, or does not answer within a
  ///   second.
  static func ask<Result>(
    threadOfApp app: UInt32, tracesCalls: Bool = false, _ read: (ThreadSnapshot) -> Result
  ) -> Result? {
    guard let thread = WatchedThreads.thread(ofApp: app) else { return nil }
    return asking.withLock { _ -> Result? in
      let answer = SnapshotHandoff.answer
      install()
      Self.tracesCalls.store(tracesCalls, ordering: .sequentiallyConsistent)
      SnapshotHandoff.drain(answer.written)
      isOpen.store(true, ordering: .sequentiallyConsistent)
      defer { isOpen.store(false, ordering: .sequentiallyConsistent) }
      guard !SnapshotHandoff.isEnding, pthread_kill(thread, signal) == 0 else { return nil }
      for _ in 0..<20 {
        if SnapshotHandoff.wait(for: answer.written, milliseconds: 50) {
          defer { sem_post(answer.handled) }
          return read(answer.slot.pointee)
        }
        // A crash has yet to be reported, perhaps by this thread.
        if SnapshotHandoff.isEnding { return nil }
      }
      return nil
    }
  }

  /// Answers a probe; runs in the signal handler of the thread that was asked.
  static func answer() {
    guard isOpen.exchange(false, ordering: .sequentiallyConsistent) else { return }
    SnapshotHandoff.answer.handOver(
      signal: 0, timeout: 1000, tracesCalls: tracesCalls.load(ordering: .sequentiallyConsistent))
  }
}
