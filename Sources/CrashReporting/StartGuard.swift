internal import Glibc
internal import Support
internal import Synchronization

/// Ends a start that hangs because the system grants no threads.
///
/// Swift's concurrency waits for them without limit. The watch thread looks: it was there before.
package enum StartGuard {
  private static let patience = 2_000_000_000
  /// When the start began, in nanoseconds; 0 while nothing starts.
  private static let since = Atomic<Int>(0)

  /// Watches over what happens until ``end()``.
  package static func begin() {
    if let status = WatchThread.shared.start() { giveUp(status) }
    since.store(MonotonicTime.now(), ordering: .relaxed)
  }

  /// The start is over.
  package static func end() { since.store(0, ordering: .relaxed) }

  /// Looks whether the start takes long, and whether that is for want of threads.
  static func look() {
    let since = since.load(ordering: .relaxed)
    guard since > 0, MonotonicTime.now() - since >= patience else { return }
    var thread = pthread_t()
    let status = pthread_create(&thread, nil, { _ in nil }, nil)
    guard status == 0 else { giveUp(status) }
    pthread_join(thread, nil)
  }

  private static func giveUp(_ status: Int32) -> Never {
    let reason = String(cString: strerror(status))
    var text =
      "appcore: the system grants no thread: \(reason); raise the limits of memory (ulimit -v) "
      + "and of processes (ulimit -u)\n"
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    _exit(70)
  }
}
