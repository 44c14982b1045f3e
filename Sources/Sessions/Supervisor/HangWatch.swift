internal import Navigation

/// Finds out from outside whether a worker answers: one whose memory is damaged can't tell.
///
/// A worker ends by itself when its app has not answered for as long as the limit says, and names who
/// it was. What is found here is what does not manage even that.
struct HangWatch {
  /// How much later than the worker itself, in nanoseconds.
  private static let grace = 1_000_000_000

  private let limit: Int
  private var progress: (value: Int, since: Int)?
  private var looks: (value: UInt, since: Int)?

  init(limit: Duration) {
    let (seconds, attoseconds) = limit.components
    self.limit = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000) + Self.grace
  }

  /// For how long a worker has not answered.
  ///
  /// - Parameters:
  ///   - page: where the worker's watch thread notes what it has seen.
  ///   - now: the time, in nanoseconds.
  /// - Returns: how long, in nanoseconds; `nil` where it still may answer.
  mutating func hang(of page: WorkerPage, now: Int) -> Int? {
    if progress?.value != page.progress { progress = (page.progress, now) }
    if looks?.value != page.looks { looks = (page.looks, now) }
    guard let progress, let looks else { return nil }
    // The app's thread is at one piece of work, or the thread that watches it does not look any more.
    if progress.value % 2 != 0, now - progress.since >= limit { return now - progress.since }
    if looks.value != 0, now - looks.since >= limit + Self.grace { return now - looks.since }
    return nil
  }
}
