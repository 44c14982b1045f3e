import Glibc

/// Measures work by the processor time of its thread.
struct Measurement {
  /// The number of measurements of each row, of which the median is taken.
  let rounds: Int
  /// The divisor of a row's repetitions; a quick run only shows that the row works.
  let divisor: Int
  /// A text that the names of the measured rows contain; empty for all rows.
  var only = ""

  /// Whether the row `name` is measured.
  func includes(_ name: String) -> Bool { only.isEmpty || name.contains(only) }

  /// The median of several rounds, in nanoseconds for each of `count` repetitions.
  func nanoseconds(count: Int, _ body: (_ count: Int) -> Void) -> Double {
    let count = max(1, count / divisor)
    body(max(1, count / 10))
    let times = (0..<rounds).map { _ in
      let start = Self.now()
      body(count)
      return Double(Self.now() - start) / Double(count)
    }
    return times.sorted()[rounds / 2]
  }

  /// The thread's processor time, in nanoseconds.
  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// One line of the table.
struct Row {
  let name: String
  let nanoseconds: Double
  let baseline: String
  let baselineNanoseconds: Double
}
