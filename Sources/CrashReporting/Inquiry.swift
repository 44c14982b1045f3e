internal import Glibc
internal import Synchronization

/// The signal by which a thread is asked where it is.
package enum Inquiry {
  /// Nobody uses it: it is for urgent data on sockets, and ignored unless somebody wants it.
  package static let signal = SIGURG
  /// Whether somebody waits for the answer.
  private static let isOpen = Atomic<Bool>(false)
  /// Whether the thread's calls are wanted too.
  private static let tracesCalls = Atomic<Bool>(false)

  package static func install() { ProcessSignals.install([signal], evenIfIgnored: true) }

  /// Asks a thread what it does, and reads the answer while it stands still.
  ///
  /// On the watch thread only.
  ///
  /// - Parameters:
  ///   - thread: the thread.
  ///   - tracesCalls: whether its calls are taken too, which may wait for locks that it holds: for a
  ///     process that is about to end.
  ///   - read: reads the answer.
  /// - Returns: what `read` returns; `nil` where the thread does not answer.
  static func ask<Result>(
    _ thread: pthread_t, tracesCalls: Bool = false, _ read: (Interruption) -> Result
  ) -> Result? {
    guard !InterruptionDesk.isEnding else { return nil }
    install()
    self.tracesCalls.store(tracesCalls, ordering: .sequentiallyConsistent)
    InterruptionDesk.isWritten.store(false, ordering: .sequentiallyConsistent)
    isOpen.store(true, ordering: .sequentiallyConsistent)
    defer { isOpen.store(false, ordering: .sequentiallyConsistent) }
    guard pthread_kill(thread, signal) == 0 else { return nil }
    repeat {
      guard InterruptionDesk.wait(for: InterruptionDesk.asked, seconds: 1) else { return nil }
      guard !InterruptionDesk.isEnding else {
        // It was a thread that has failed, which is still to be reported.
        sem_post(InterruptionDesk.asked)
        return nil
      }
    } while !InterruptionDesk.isWritten.load(ordering: .sequentiallyConsistent)
    defer { sem_post(InterruptionDesk.answered) }
    return read(InterruptionDesk.paper.pointee)
  }

  /// Answers, on the thread that is asked; in the signal's handler.
  static func answer() {
    guard isOpen.exchange(false, ordering: .sequentiallyConsistent) else { return }
    InterruptionDesk.leave(
      signal: 0, patience: 1, tracesCalls: tracesCalls.load(ordering: .sequentiallyConsistent))
  }
}
