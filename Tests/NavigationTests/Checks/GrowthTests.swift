@_spi(Host) import AppCore
import Manifest
import Support
import TestSupport
import Testing

@_spi(Host) @testable import Navigation

/// The checks of a manifest take steps that grow with its lines, whatever it says.
@Suite(
  "GraphBuilder: growing manifests", .ownThread,
  .notSanitized("counts the steps of code that other tests run too"))
struct GrowthTests {
  private static let catalog = GrowingManifest.catalog

  private struct Measured {
    let stepsPerLine: Double
    let problems: Int
  }

  private func measure(_ manifest: GrowingManifest, lines: Int) throws -> Measured {
    let text = manifest.text(lines)
    let loader = ManifestLoader(options: .init(environment: { _ in nil }))
    let loaded = loader.load(Array(text.utf8), path: "test.yaml")
    let read = try #require(loaded.manifest, "\(loaded.problems.prefix(3).map(\.message))")
    let built = GraphBuilder.build(
      read, catalog: Self.catalog, pluginNames: read.plugins.map { $0.reference.description },
      gaps: loaded.gaps)
    let steps = loaded.steps + built.steps
    return Measured(
      stepsPerLine: Double(steps) / Double(lines),
      problems: loaded.problems.count + built.problems.count)
  }

  @Test(
    "Steps grow with the lines, not with their square",
    arguments: GrowingManifest.verbs + GrowingManifest.mistakes + GrowingManifest.links)
  func grows(manifest: GrowingManifest) throws {
    let small = try measure(manifest, lines: 1_000)
    let large = try measure(manifest, lines: 4_000)
    #expect(small.stepsPerLine > 1)
    #expect(large.stepsPerLine < 3 * small.stepsPerLine)
    #expect(large.stepsPerLine < Self.most)
  }

  @Test(
    "32,000 lines take as many steps for each as 8,000",
    arguments: (GrowingManifest.verbs + GrowingManifest.mistakes + GrowingManifest.links)
      .filter { $0.isSlowest || runsAllTests }.sample(every: 3))
  func growsFar(manifest: GrowingManifest) throws {
    let small = try measure(manifest, lines: 8_000)
    let large = try measure(manifest, lines: 32_000)
    #expect(large.stepsPerLine < 1.25 * small.stepsPerLine)
    #expect(large.stepsPerLine < Self.most)
  }

  /// The most steps that a line may take: a search for a way back goes no farther.
  private static let most = 500.0

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
