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

  /// The seconds of this thread's processor that reading and checking a manifest takes.
  private func measure(_ manifest: GrowingManifest, lines: Int) throws -> Double {
    let bytes = Array(manifest.text(lines).utf8)
    let start = Self.processorTime
    let loaded = ManifestLoader(options: .init(environment: { _ in nil }))
      .load(bytes, path: "test.yaml")
    let read = try #require(loaded.manifest, "\(loaded.problems.prefix(3).map(\.message))")
    _ = GraphBuilder.build(
      read, catalog: Self.catalog, pluginNames: read.plugins.map { $0.reference.description },
      gaps: loaded.gaps)
    return Self.processorTime - start
  }

  /// Whether eight times the lines take less than 24 times the time; their square takes 64 times.
  ///
  /// Of several measurements the smallest counts, which other work on the machine can't make
  /// smaller: time that grows with the square fails however often it is measured.
  private func growsWithLines(_ manifest: GrowingManifest, from lines: Int) throws -> Bool {
    let small = try (0..<3).map { _ in try measure(manifest, lines: lines) }.min() ?? 0
    for _ in 0..<8 where try measure(manifest, lines: 8 * lines) < 24 * small { return true }
    return false
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
    #expect(try growsWithLines(manifest, from: 1_000))
  }

  @Test(
    "So does the time of 32,000 lines",
    arguments: (GrowingManifest.verbs + GrowingManifest.mistakes + GrowingManifest.links)
      .filter { $0.isSlowest || runsAllTests }.sample(every: 3))
  func growsFar(manifest: GrowingManifest) throws {
    #expect(try growsWithLines(manifest, from: 4_000))
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
