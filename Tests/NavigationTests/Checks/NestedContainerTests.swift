@_spi(Host) import AppCheck
import TestSupport
import Testing

@Suite("GraphBuilder: containers in containers", .ownThread)
struct NestedContainerTests {
  /// A manifest of `depth` containers, each but the last the only tab of another.
  private func manifest(depth: Int) -> String {
    let nodes = (0..<depth).map { number in
      "  n\(number): { tabs: [\(number + 1 < depth ? "n\(number + 1)" : "page")] }\n"
    }
    return "appcore: 1\nplugins: [Shop]\nstart: n0\nnodes:\n\(nodes.joined())"
      + "  page: { feature: Shop.Quiet }\n"
  }

  @Test("However deep containers nest, that is one problem, with its place")
  func nesting() {
    for depth in [33, 34, 5_000, 40_000] {
      #expect(BuildReport(manifest(depth: depth)).problems == ["too-nested \(depth - 33 + 5):3"])
    }
  }

  @Test("32 containers, one in another, can be shown")
  func deepest() {
    let report = BuildReport(manifest(depth: 32))
    #expect(report.problems == [])
    #expect(report.result.graph != nil)
  }
}
