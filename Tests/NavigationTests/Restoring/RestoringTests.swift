@_spi(Host) import AppCore
import Sessions
import Testing

@_spi(Host) @testable import Navigation

/// What becomes of one session under one changed manifest.
@Suite("Going on in another process") @MainActor
struct RestoringTests {
  private func graph(
    _ nodes: [Node], start: Int = 0, background: [Target] = []
  ) -> Graph {
    Graph(
      name: "app", title: "App", nodes: nodes, start: Target(node: start), background: background,
      routes: nodes.indices.flatMap { from in
        nodes.indices.map { to in
          Route(
            node: from, action: "to\(to)",
            verbs: [.push(Target(node: to), singleTop: false, .refuse)])
        }
      })
  }

  private func page(
    _ name: String, was: [String] = [], feature: String = "Mock.Returner", maxDepth: Int? = nil
  ) -> Node {
    Node(name: name, content: .feature(feature), maxDepth: maxDepth, formerNames: was)
  }

  private func tabs(_ name: String, _ nodes: [Int]) -> Node {
    Node(name: name, content: .tabs(nodes.map { Target(node: $0) }))
  }

  /// An image of these instances, each on the one before it.
  private func stack(
    _ nodes: [String], _ feature: String = "Mock.Returner",
    state: Value = ["tag": "x", "hooks": []]
  ) -> SessionImage {
    var image = SessionImage(
      identity: SessionIdentity(
        app: "app", manifest: "app.yaml",
        plugins: [.init(name: "Mock", version: "1.0.0", digest: "")],
        nodes: Set(nodes).sorted().map { .init(name: $0, feature: feature) }))
    for (number, node) in zip(UInt64(1)..., nodes) {
      let (id, below) = (InstanceID(number: number), InstanceID(number: number - 1))
      image.moment.instances[id] = SavedInstance(
        id: id, node: node, presenter: number > 1 ? below : nil,
        place: number > 1 ? .above(below) : .layer(over: nil), order: number, state: .value(state))
    }
    return image
  }

  private func outcomes(_ app: RestoredApp) -> [RestoreOutcome] { app.plan.entries.map(\.outcome) }

  @Test("Effects are not repeated: an instance that continues is told, and only a new one begins")
  func hooks() throws {
    let graph = graph([page("a")])
    let app = try #require(try RestoredApp(stack(["a", "a"]), in: graph))
    for id: InstanceID in [1, 2] {
      let instance = try #require(app.instance(id))
      #expect(try app.state(instance)?["hooks"] == ["didRestore"])
    }
    let anew = try #require(try RestoredApp(stack(["gone"]), in: graph))
    let current = try #require(anew.store.state.current.flatMap { anew.store.state.instances[$0] })
    #expect(try anew.state(current)?["hooks"] == ["didStart"])
    #expect(anew.plan.startsAnew)
  }

  @Test("A stack is cut at the first entry that can't come back")
  func cut() throws {
    let app = try #require(
      try RestoredApp(stack(["a", "gone", "a"]), in: graph([page("a")])))
    #expect(
      outcomes(app) == [
        .kept,
        .dropped(
          reason: "the manifest has no node 'gone'; where it was renamed, 'was: gone' says so"),
        .dropped(reason: "it stood on 'gone', which does not come back"),
      ])
    #expect(app.store.state.instances.count == 1)
  }

  @Test("Arguments that are nested too deep to be read again cost their own instance only")
  func deepArguments() throws {
    var deep = Value.int(1)
    for _ in 0..<1500 { deep = .array([deep]) }
    let graph = Graph(
      name: "app", title: "App", nodes: [page("a")],
      start: Target(node: 0, arguments: .object(["deep": .value(deep)])), routes: [])
    let store = Store(
      initialState: AppState(),
      reducer: Router(graph: graph, features: FeatureTable(try TestApp.features(of: graph))),
      isolation: MainActor.shared)
    store.send(.navigate(.begin))
    try #require(store.state.current != nil)
    let saved = try #require(
      SessionImage.whole(store.state, of: graph).moment.instances.values.first)
    #expect(
      saved.state == .notEncodable(reason: "its arguments are nested deeper than 1000 levels"))
    #expect(saved.arguments == .null)
  }

  @Test("A node that was renamed is known by what it was called")
  func renamed() throws {
    let app = try #require(
      try RestoredApp(stack(["a", "old"]), in: graph([page("a"), page("new", was: ["old"])])))
    #expect(outcomes(app) == [.kept, .kept])
    #expect(app.plan.entries.map(\.newNode) == ["a", "new"])
  }

  @Test("A stack holds no more instances than a lowered maxDepth allows")
  func maxDepth() throws {
    let app = try #require(
      try RestoredApp(stack(["a", "b", "b", "b"]), in: graph([page("a"), page("b", maxDepth: 2)])))
    #expect(
      outcomes(app) == [
        .kept, .kept, .kept,
        .dropped(reason: "the stack already holds 2 'b' (its maxDepth)"),
      ])
  }

  @Test("A state of another version goes through 'migrate'")
  func migrated() throws {
    let app = try #require(
      try RestoredApp(stack(["a"]), in: graph([page("a")]), version: "2.0.0"))
    #expect(outcomes(app) == [.migrated(from: "1.0.0")])
    let instance = try #require(app.instance(1))
    #expect(try app.state(instance)?["hooks"] == ["migrated from 1.0.0", "didRestore"])
  }

  @Test("An instance whose state can't be read, or whose node shows another feature, begins anew")
  func anew() throws {
    let unread = try #require(
      try RestoredApp(
        stack(["a"], "Mock.Probe", state: "nonsense"), in: graph([page("a", feature: "Mock.Probe")])
      ))
    guard case .madeAnew(let reason) = outcomes(unread).first else {
      Issue.record("\(outcomes(unread))")
      return
    }
    #expect(reason.hasPrefix("its state can't be read: "))
    let other = try #require(
      try RestoredApp(stack(["a"], "Mock.Probe"), in: graph([page("a")])))
    #expect(
      outcomes(other)
        == [.madeAnew(reason: "its node shows 'Mock.Returner' now, and showed 'Mock.Probe'")])
  }

  @Test("A tab that the manifest has removed gives the first one")
  func removedTab() throws {
    let before = graph([tabs("home", [1, 2]), page("one"), page("two")])
    let app = try TestApp(graph: before)
    app.store.send(.navigate(.select(node: 2)))
    let image = try SessionImage.whole(app.state, of: before)
    let after = graph([tabs("home", [1]), page("one"), page("two")])
    let restored = try #require(try RestoredApp(image, in: after))
    let reasons = restored.plan.entries.filter { $0.outcome != .kept }
    #expect(reasons.map(\.outcome) == [.dropped(reason: "'home' has no tab 'two' any more")])
    let state = restored.store.state
    let current = try #require(state.current.flatMap { state.instances[$0] })
    #expect(after.nodes[current.node].name == "one")
  }

  @Test("Background instances come back, and those that a manifest adds are made")
  func background() throws {
    let nodes = [page("a"), page("b"), page("c")]
    let before = graph(nodes, background: [Target(node: 1)])
    let app = try TestApp(graph: before)
    let image = try SessionImage.whole(app.state, of: before)
    let after = graph(nodes, background: [Target(node: 2), Target(node: 1)])
    let restored = try #require(try RestoredApp(image, in: after))
    #expect(outcomes(restored) == [.kept, .kept])
    let state = restored.store.state
    #expect(state.navigation.background.map { state.instances[$0]?.node } == [2, 1])
  }

  @Test("Of two background instances of one node the one with the arguments goes on")
  func backgroundArguments() throws {
    let nodes = [page("a"), page("b")]
    let both = ["x", "y"].map { Target(node: 1, ["tag": .string($0)]) }
    let before = graph(nodes, background: both)
    let app = try TestApp(graph: before)
    let image = try SessionImage.whole(app.state, of: before)
    let after = graph(nodes, background: [both[1], both[1]])
    let restored = try #require(try RestoredApp(image, in: after))
    let state = restored.store.state
    #expect(
      state.navigation.background.map { state.instances[$0]?.arguments }
        == [["tag": "y"], ["tag": "x"]])
  }

  @Test("100,000 instances on each other, and 100,000 layers, come back", arguments: [true, false])
  func deep(inOneStack: Bool) throws {
    var image = stack(Array(repeating: "a", count: 100_000))
    if !inOneStack {
      image.moment.instances = image.moment.instances.mapValues {
        SavedInstance(
          id: $0.id, node: $0.node, arguments: $0.arguments, presenter: $0.presenter,
          place: .layer(over: $0.id > 1 ? InstanceID(number: $0.id.number - 1) : nil),
          order: $0.order, state: $0.state)
      }
    }
    let app = try #require(try RestoredApp(image, in: graph([page("a")])))
    #expect(app.store.state.instances.count == 100_000)
    #expect(app.plan.continuedCount == 100_000)
  }
}
