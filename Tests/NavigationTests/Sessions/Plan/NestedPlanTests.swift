import AppCore
@_spi(Host) import Navigation
import Testing

@testable import Sessions

@Suite("Plans of containers in containers")
struct NestedPlanTests {
  /// What the plan of an empty image says of a start that is so many containers, each but the last the
  /// only tab of another; `nil` if it is made.
  private func failure(depth: Int) -> SessionPlan.StartFailure? {
    let containers = (0..<depth).map {
      Node(name: "n\($0)", content: .tabs([Target(node: $0 + 1)]))
    }
    let graph = Graph(
      name: "app", title: "App",
      nodes: containers + [Node(name: "page", content: .feature("Mock.Page"))],
      start: Target(node: 0), background: [], routes: [])
    let image = SessionImage(identity: SessionIdentity(app: "app"))
    var features = StateCompatibility(identity: image.identity, versions: [:])
    do throws(SessionPlan.StartFailure) {
      _ = try SessionPlan.make(of: image, in: graph, &features)
      return nil
    } catch {
      return error
    }
  }

  @Test("32 are made anew, one in another, and no more")
  func limit() {
    #expect(failure(depth: 32) == nil)
    #expect(
      failure(depth: 33) == SessionPlan.StartFailure(reason: "containers nest deeper than 32"))
  }
}
