import Foundation
import TestSupport
import Testing

@testable import Navigation

@MainActor
@Suite(
  "Router: model", .notThreadSanitized("one thread for 100,000 steps, in which nothing can race"))
struct ModelTests {
  /// How many steps are taken; the environment may ask for more.
  nonisolated static let steps =
    ProcessInfo.processInfo.environment["APPCORE_MODEL_STEPS"].flatMap { Int($0) } ?? 20_000
  nonisolated static let stepsPerGraph = 200

  @Test("Whatever is done in whatever graph, the store does what the table says")
  func agrees() throws {
    var counts: [String: Int] = [:]
    for seed in 0..<UInt64(max(1, Self.steps / Self.stepsPerGraph)) {
      let run = try ModelRun(seed: seed)
      guard try run.run(Self.stepsPerGraph) else {
        Issue.record("the graph of seed \(seed)")
        return
      }
      counts.merge(run.counts) { $0 + $1 }
    }
    // A run in which something never happened would say nothing of it.
    for code in [
      "accepted", "told", "gone", "not-current", "max-depth", "unavailable", "no-such-tab",
      "tabs-covered",
      "at-root", "not-in-modal", "not-on-path", "would-empty",
    ] {
      #expect(counts[code, default: 0] > 0, "no step was '\(code)'")
    }
  }
}
