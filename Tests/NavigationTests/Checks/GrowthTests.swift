@_spi(Host) import AppCore
import Glibc
import Manifest
import Support
import TestSupport
import Testing

@_spi(Host) @testable import AppCheck
@_spi(Host) @testable import Navigation

/// The time that the checks of a manifest take grows with its lines, whatever it says.
@Suite(
  "GraphBuilder: growing manifests", .ownThread, .notSanitized("measures time"))
struct GrowthTests {
  private static let catalog = GrowingManifest.catalog

  /// The seconds of this thread's processor that reading and checking a manifest takes, at best.
  private func measure(_ manifest: GrowingManifest, lines: Int, rounds: Int) throws -> Double {
    let bytes = Array(manifest.text(lines).utf8)
    var best = Double.infinity
    for _ in 0..<rounds {
      let start = Self.processorTime
      let loaded = ManifestLoader(options: .init(environment: { _ in nil }))
        .load(bytes, path: "test.yaml")
      let read = try #require(loaded.manifest, "\(loaded.problems.prefix(3).map(\.message))")
      _ = GraphBuilder.build(
        read, catalog: Self.catalog, pluginNames: read.plugins.map { $0.reference.description },
        gaps: loaded.gaps)
      best = min(best, Self.processorTime - start)
    }
    return best
  }

  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test(
    "Time grows with the lines, not with their square",
    arguments: GrowingManifest.verbs + GrowingManifest.mistakes + GrowingManifest.links)
  func grows(manifest: GrowingManifest) throws {
    let small = try measure(manifest, lines: 1_000, rounds: 3)
    let large = try measure(manifest, lines: 8_000, rounds: 1)
    #expect(large < 3 * 8 * small)
  }

  @Test(
    "32,000 lines take hardly more time for each than 4,000",
    arguments: (GrowingManifest.verbs + GrowingManifest.mistakes + GrowingManifest.links)
      .filter { $0.isSlowest || runsAllTests }.sample(every: 3))
  func growsFar(manifest: GrowingManifest) throws {
    let small = try measure(manifest, lines: 4_000, rounds: 2)
    let large = try measure(manifest, lines: 32_000, rounds: 1)
    #expect(large < 2.5 * 8 * small)
  }

  @Test("However deep containers nest, that is one problem, with its place")
  func nesting() throws {
    for depth in [33, 34, 5_000, 40_000] {
      let nodes = (0..<depth).map { number in
        "  n\(number): { tabs: [\(number + 1 < depth ? "n\(number + 1)" : "page")] }\n"
      }
      let text =
        "appcore: 1\nplugins: [P]\nstart: n0\nnodes:\n\(nodes.joined())  page: { feature: P.Page }\n"
        + "routes:\n  - { from: any, action: [go, more, closed], do: ignore }\n"
      let report = BuildReport(text, catalog: Self.catalog)
      #expect(report.problems == ["too-nested \(depth - 33 + 5):3"])
    }
  }

  @Test("32 containers, one in another, can be shown")
  func deepest() throws {
    let nodes = (0..<32).map { "  n\($0): { tabs: [\($0 < 31 ? "n\($0 + 1)" : "page")] }\n" }
    let text =
      "appcore: 1\nplugins: [P]\nstart: n0\nnodes:\n\(nodes.joined())  page: { feature: P.Page }\n"
      + "routes:\n  - { from: any, action: [go, more, closed], do: ignore }\n"
    let report = BuildReport(text, catalog: Self.catalog)
    #expect(report.problems == [])
    #expect(report.result.graph != nil)
  }
}
