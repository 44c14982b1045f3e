internal import Glibc
internal import PluginHost
internal import Support
internal import Synchronization

/// Ends the process if its start hangs because the system grants no threads.
///
/// Swift's concurrency runtime waits without a timeout until it gets a thread. The watch thread,
/// which starts first, ends the process instead.
package enum StartGuard {
  /// How long the start may take before ``look()`` tries to create a thread, in nanoseconds.
  private static let timeout = 2_000_000_000
  /// The monotonic time at which the start began, in nanoseconds; 0 if no start is in progress.
  private static let since = Atomic<Int>(0)

  /// Below this limit of addresses, in bytes, all threads share one part of the heap.
  private static let ampleAddresses: rlim_t = 4 << 30

  /// Fits the heap to the limit of the process's addresses; called before other threads exist.
  ///
  /// For each thread that allocates memory the C library reserves 128 MiB of addresses: under a limit of
  /// some hundred, none are left for the stacks of threads, with hardly any memory in use.
  package static func fitHeap() {
    var limit = rlimit()
    guard getrlimit(Int32(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < ampleAddresses else {
      return
    }
    // M_ARENA_MAX
    _ = GNUFunctions.setHeapOption?(-8, 1)
  }

  /// Begins to watch the start of the program, until ``end()`` is called.
  package static func begin() {
    if let status = WatchThread.start() { giveUp(status) }
    since.store(MonotonicTime.now(), ordering: .relaxed)
  }

  /// Stops watching, because the program has started.
  package static func end() { since.store(0, ordering: .relaxed) }

  /// Ends the process if the start takes longer than 2 s and a thread can't be created.
  static func look() {
    let since = since.load(ordering: .relaxed)
    guard since > 0, MonotonicTime.now() - since >= timeout else { return }
    if let status = DetachedThread.start({}) { giveUp(status) }
  }

  private static func giveUp(_ status: Int32) -> Never {
    var text =
      "appcore: the system grants no thread: \(SystemError(status)); raise the limits of memory "
      + "(ulimit -v) and of processes (ulimit -u)\n"
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    _exit(70)
  }
}
