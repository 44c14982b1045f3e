internal import Glibc
internal import Synchronization

/// A question of the watch thread: a signal that asks another thread what it is doing.
package enum ThreadProbe {
  /// The signal that asks.
  ///
  /// SIGURG is rarely used: it reports urgent data on sockets, and is ignored by default.
  package static let signal = SIGURG
  /// Whether the watch thread is waiting for an answer.
  private static let isOpen = Atomic<Bool>(false)
  /// Whether the answer is to include the call stack.
  private static let tracesCalls = Atomic<Bool>(false)

  /// Installs the signal's handler; further calls do nothing.
  package static func install() { ProcessSignals.install([signal], evenIfIgnored: true) }

  /// Asks a thread what it is doing, and reads the answer while the thread is stopped.
  ///
  /// Call it only on the watch thread.
  ///
  /// - Parameters:
  ///   - thread: the thread.
  ///   - tracesCalls: whether to record its call stack too; only for a process that is about to
  ///     end, since the unwinder may wait for locks that the thread holds.
  ///   - read: receives the answer.
  /// - Returns: the result of `read`; `nil` if the thread does not answer.
  static func ask<Result>(
    _ thread: pthread_t, tracesCalls: Bool = false, _ read: (ThreadSnapshot) -> Result
  ) -> Result? {
    guard !SnapshotHandoff.isEnding else { return nil }
    install()
    self.tracesCalls.store(tracesCalls, ordering: .sequentiallyConsistent)
    SnapshotHandoff.isWritten.store(false, ordering: .sequentiallyConsistent)
    isOpen.store(true, ordering: .sequentiallyConsistent)
    defer { isOpen.store(false, ordering: .sequentiallyConsistent) }
    guard pthread_kill(thread, signal) == 0 else { return nil }
    repeat {
      guard SnapshotHandoff.wait(for: SnapshotHandoff.requested, seconds: 1) else {
        return nil
      }
      guard !SnapshotHandoff.isEnding else {
        // The post came from a thread that has crashed, and whose crash has yet to be reported.
        sem_post(SnapshotHandoff.requested)
        return nil
      }
    } while !SnapshotHandoff.isWritten.load(ordering: .sequentiallyConsistent)
    defer { sem_post(SnapshotHandoff.handled) }
    return read(SnapshotHandoff.slot.pointee)
  }

  /// Answers a probe; runs in the signal handler of the thread that was asked.
  static func answer() {
    guard isOpen.exchange(false, ordering: .sequentiallyConsistent) else { return }
    SnapshotHandoff.handOver(
      signal: 0, timeout: 1, tracesCalls: tracesCalls.load(ordering: .sequentiallyConsistent))
  }
}
