import Synchronization

@testable import Packages

/// Keeps what a loader reports, from whichever thread.
final class ProgressRecorder: Sendable {
  private let all = Mutex<[LoadProgress]>([])

  var steps: [LoadProgress] { all.withLock { $0 } }

  func append(_ step: LoadProgress) { all.withLock { $0.append(step) } }
}
