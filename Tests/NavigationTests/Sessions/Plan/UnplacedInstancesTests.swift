import AppCore
@_spi(Host) import Navigation
import Testing

@testable import Sessions

@Suite("Unplaced instances")
struct UnplacedInstancesTests {
  /// An app with a page, over which a detail may be.
  private struct Version {
    let version: String
    var detail: String? = "Mock.Detail"

    var graph: Graph {
      let nodes =
        [Node(name: "page", content: .feature("Mock.Page"))]
        + (detail.map { [Node(name: "detail", content: .feature($0))] } ?? [])
      return Graph(
        name: "app", title: "App", nodes: nodes, start: Target(node: 0), background: [], routes: [])
    }

    /// The app as it was, with what of an earlier one is left over.
    func image(_ instances: [SavedInstance]) -> SessionImage {
      SessionImage(
        identity: SessionIdentity(
          app: "app", manifest: "app.yaml",
          plugins: [.init(name: "Mock", version: version, digest: "")],
          nodes: graph.nodes.map { .init(name: $0.name, feature: $0.feature) }),
        AppMoment(instances))
    }

    func plan(_ image: SessionImage) throws -> SessionPlan {
      var features = StateCompatibility(identity: image.identity, versions: ["Mock": version])
      return try SessionPlan.make(of: image, in: graph, &features)
    }

    /// What is unplaced when the app continues with an image.
    func unplaced(of image: SessionImage) throws -> [SavedInstance] {
      try plan(image).unplaced(
        from: image, [UnplacedInstancesTests.page.id: UnplacedInstancesTests.page.id])
    }
  }

  private static let page = SavedInstance(
    id: InstanceID(number: 1), node: "page", order: 1, state: .value(.int(1)))
  private let page = Self.page
  private let detail = SavedInstance(
    id: InstanceID(number: 2), node: "detail", presenter: page.id, place: .above(page.id), order: 2,
    state: .value(.int(7)))

  /// What becomes of the detail when it has a place again.
  private func outcome(after between: [Version], in last: Version) throws -> RestoreOutcome? {
    var image = Version(version: "1.0.0").image([page, detail])
    for version in between {
      image = version.image([page] + (try version.unplaced(of: image)))
    }
    return try last.plan(image).entries.first { $0.node == "detail" }?.outcome
  }

  @Test("They come back with the version that wrote them, however many came between")
  func version() throws {
    let without = [
      Version(version: "2.0.0", detail: nil), Version(version: "3.0.0", detail: nil),
    ]
    // Only the plugin's code can say whether it reads that.
    #expect(
      try outcome(after: without, in: Version(version: "3.0.0"))
        == .unknown(
          reason: "whether 3.0.0 can read the state that 1.0.0 has written is known only when its "
            + "code is run"))
    #expect(try outcome(after: without, in: Version(version: "1.0.0")) == .kept)
  }

  @Test("A state's shape tells what its version alone does not")
  func shapes() throws {
    let old = Version(version: "1.0.0")
    func outcome(_ version: String, isSame: Bool) throws -> RestoreOutcome? {
      let image = old.image([page])
      var features = StateCompatibility(
        identity: image.identity, versions: ["Mock": version],
        hasSameState: { $0 == "Mock.Page" ? isSame : nil })
      return try SessionPlan.make(of: image, in: old.graph, &features).entries.first?.outcome
    }
    #expect(try outcome("1.0.0", isSame: true) == .kept)
    // An equal shape is a hint: the values may have other limits.
    #expect(
      try outcome("2.0.0", isSame: true)
        == .unknown(
          reason:
            "its state has the same shape as in 1.0.0, but whether 2.0.0 can read it only the "
            + "feature's own coding tells"))
    for version in ["1.0.0", "2.0.0"] {
      guard case .unknown? = try outcome(version, isSame: false) else {
        Issue.record("a state of another shape is read by \(version)")
        continue
      }
    }
  }

  @Test("They come back to their feature, also when their node was another's meanwhile")
  func feature() throws {
    let (whole, cut) = (Version(version: "1.0.0"), Version(version: "1.0.0", detail: nil))
    let image = cut.image([page] + (try cut.unplaced(of: whole.image([page, detail]))))
    let other = Version(version: "1.0.0", detail: "Mock.Other")
    #expect(
      try other.plan(image).entries.first { $0.node == "detail" }?.outcome
        == .dropped(reason: "its node shows 'Mock.Other' now, and showed 'Mock.Detail'"))
    // The image of the app as it is then says that the node's feature is the other one.
    let later = other.image([page] + (try other.unplaced(of: image)))
    #expect(try whole.plan(later).entries.last?.outcome == .kept)
  }

  @Test("Their version survives encoding")
  func coding() throws {
    let image = Version(version: "1.0.0").image([page, detail])
    let left = try Version(version: "2.0.0", detail: nil).unplaced(of: image)
    #expect(left.map(\.encodedBy) == [.init(feature: "Mock.Detail", version: "1.0.0")])
    #expect(SavedInstance(try Value(json: left[0].value.json)) == left[0])
    #expect(left[0].withoutSecrets == left[0])
  }

  /// An unplaced detail with a number.
  private func unplaced(
    _ number: UInt64, node: String = "detail", _ place: SavedInstance.Place
  ) -> SavedInstance {
    SavedInstance(
      id: InstanceID(number: InstanceID.firstUnplaced + number), node: node, place: place, order: 1,
      state: .value(.int(9)),
      encodedBy: .init(feature: node == "page" ? "Mock.Page" : "Mock.Detail", version: "1.0.0"))
  }

  /// The instances that are restored from these, by their numbers.
  private func restored(_ instances: [SavedInstance]) throws -> Set<InstanceID> {
    let plan = try Version(version: "1.0.0").plan(Version(version: "1.0.0").image(instances))
    #expect(!plan.startsAnew)
    return Set(plan.ids.compactMap(\.self))
  }

  private func live(
    _ number: UInt64, node: String, _ place: SavedInstance.Place
  ) -> SavedInstance {
    SavedInstance(
      id: InstanceID(number: number), node: node, place: place, order: number,
      state: .value(.int(7)))
  }

  @Test("A dialog that was open has precedence over an unplaced one, whichever each is over")
  func dialogs() throws {
    let dialog = live(3, node: "detail", .layer(over: detail.id))
    let left = unplaced(0, .layer(over: page.id))
    #expect(try restored([page, detail, dialog, left]) == [page.id, detail.id, dialog.id])
  }

  @Test("What can't come back leaves its place to the next one that wants it")
  func nextCandidate() throws {
    let above = live(2, node: "gone", .above(page.id))
    let left = unplaced(0, .above(page.id))
    #expect(try restored([page, above, left]) == [page.id, left.id])

    let over = live(2, node: "gone", .layer(over: page.id))
    let dialog = unplaced(0, .layer(over: page.id))
    #expect(try restored([page, over, dialog]) == [page.id, dialog.id])

    let root = live(1, node: "gone", .layer(over: nil))
    let formerRoot = unplaced(0, node: "page", .layer(over: nil))
    let onIt = unplaced(1, .above(formerRoot.id))
    #expect(try restored([root, formerRoot, onIt]) == [formerRoot.id, onIt.id])
  }

  @Test("What can't come back leaves its place in the background to the next of its node")
  func background() throws {
    let graph = Graph(
      name: "app", title: "App",
      nodes: [
        Node(name: "page", content: .feature("Mock.Page")),
        Node(name: "detail", content: .feature("Mock.Detail")),
      ], start: Target(node: 0), background: [Target(node: 1)], routes: [])
    var unread = live(2, node: "detail", .background(of: nil))
    unread.encodedBy = .init(feature: "Mock.Unread", version: "1.0.0")
    let left = unplaced(0, .background(of: nil))
    let image = Version(version: "1.0.0").image([page, unread, left])
    var features = UncreatedFeatures(
      compatibility: StateCompatibility(identity: image.identity, versions: ["Mock": "1.0.0"]))
    let plan = try SessionPlan.make(of: image, in: graph, &features)
    #expect(plan.ids == [page.id, left.id])
  }

  /// Features that can restore states but not create them.
  private struct UncreatedFeatures: SessionFeatures {
    let compatibility: StateCompatibility

    mutating func restore(_ key: Int, _ saved: SavedInstance, node: Int) -> RestoreOutcome {
      compatibility.restore(key, saved, node: node)
    }

    mutating func make(_ key: Int, node: Int, arguments: Value) -> String? { "it refuses" }
  }

  @Test("One that can't be restored is not made anew, so that its state is kept")
  func unread() throws {
    var left = unplaced(0, .above(page.id))
    left.encodedBy = .init(feature: "Mock.Former", version: "1.0.0")
    let version = Version(version: "1.0.0")
    let kept = try version.unplaced(of: version.image([page, left]))
    #expect(kept == [left])
    // Nor is one whose node is a container now.
    var graph = version.graph
    graph = Graph(
      name: "app", title: "App",
      nodes: [
        graph.nodes[0], Node(name: "detail", content: .tabs([Target(node: 2)])),
        Node(name: "other", content: .feature("Mock.Other")),
      ], start: Target(node: 0), background: [], routes: [])
    let image = version.image([page, unplaced(0, .above(page.id))])
    var features = StateCompatibility(identity: image.identity, versions: ["Mock": "1.0.0"])
    let plan = try SessionPlan.make(of: image, in: graph, &features)
    #expect(plan.ids == [page.id])
    #expect(plan.dropped.map(\.isUnplaced) == [true])
  }
}
