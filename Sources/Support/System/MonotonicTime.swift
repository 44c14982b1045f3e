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

/// The clock that file systems stamp files by.
package enum FileClock {
  /// How old a file's times must be when it is read for them to tell it from a later state, in
  /// nanoseconds.
  ///
  /// A file that is written twice within one tick of its file system's clock has one time for two
  /// contents. The longest tick is that of FAT, two seconds.
  package static let margin: Int64 = 2_100_000_000

  /// In nanoseconds since 1970.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
