internal import Foundation
internal import Synchronization

/// Threads that compute all the time, for tests beside a load.
package final class MachineLoad: Sendable {
  private let hasEnded = Flag()

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  /// Starts `count` threads, which run until ``end()``.
  package init(_ count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { [hasEnded] in
        while !hasEnded.value.load(ordering: .relaxed) {}
      }
    }
  }

  package func end() { hasEnded.value.store(true, ordering: .relaxed) }

  deinit { end() }
}

/// How often a test that must never miss anything repeats what it does: `APPCORE_ROUNDS`, or else 50
/// times if all tests run.
package let roundCount =
  ProcessInfo.processInfo.environment["APPCORE_ROUNDS"].flatMap { Int($0) }
  ?? (runsAllTests ? 50 : 20)
