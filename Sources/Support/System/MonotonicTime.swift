internal import Glibc

/// A clock that only goes forward, even if the system's clock is set.
package enum MonotonicTime {
  /// The time since some moment in the past, in nanoseconds.
  package static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// The clock of the times that file systems give to files.
package enum FileClock {
  /// How old, in nanoseconds, a file's times must be when it is read, so that they tell it from
  /// later versions.
  ///
  /// A file that is written twice within one tick of its file system's clock has the same time for
  /// both contents. The longest tick is that of FAT, two seconds.
  package static let margin: Int64 = 2_100_000_000

  /// The time in nanoseconds since 1970.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension Duration {
  /// The duration in nanoseconds; thirty years stand for any longer time, which might not be
  /// representable.
  package var nanoseconds: Int {
    let (seconds, attoseconds) = min(self, .seconds(1_000_000_000)).components
    return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
