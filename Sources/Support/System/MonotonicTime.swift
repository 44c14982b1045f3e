internal import Glibc

/// A clock that only goes forward, also when somebody sets the system's.
package enum MonotonicTime {
  /// The time since some moment in the past, in nanoseconds.
  package static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
