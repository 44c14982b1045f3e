@_spi(Host) import AppCore
import TestSupport
import Testing

@_spi(Host) @testable import Navigation

@Suite(
  "Router: depth", .notThreadSanitized("one thread for 100,000 steps, in which nothing can race"))
struct DepthTests {
  @Test("A deep stack is pushed, and popped one by one")
  func stackByBack() async throws {
    try await DeepApp().run { app in
      for _ in 0..<DeepApp.depth { try app.emit("go") }
      #expect(app.store.state.instances.count == DeepApp.depth + 1)
      for _ in 0..<DeepApp.depth { app.store.send(.navigate(.back)) }
      #expect(app.store.state.instances.count == 1)
      app.checkSound()
    }
  }

  @Test("Many modals are presented, and dismissed one by one")
  func layersByDismiss() async throws {
    try await DeepApp().run { app in
      for _ in 0..<DeepApp.depth { try app.emit("more") }
      #expect(app.store.state.navigation.layers.count == DeepApp.depth + 1)
      for _ in 0..<DeepApp.depth { app.store.send(.navigate(.dismiss)) }
      #expect(app.store.state.instances.count == 1)
      app.checkSound()
    }
  }

  @Test("Many pushes and presents in turn go in one step")
  func resetFromDepth() async throws {
    try await DeepApp().run { app in
      for step in 0..<DeepApp.depth { try app.emit(step % 2 == 0 ? "go" : "more") }
      app.checkSound()
      try app.emit("other")
      #expect(app.store.state.instances.count == 1)
      // Each step is a delegate action and what it did; before them the app begins.
      #expect(app.store.state.journal.count == 2 * (DeepApp.depth + 1) + 1)
      #expect(app.store.state.journal.events.count == Journal.limit)
      app.checkSound()
    }
  }
}

/// An app of one node that is on itself, on a thread of its own.
private actor DeepApp {
  static let depth = runsAllTests ? 100_000 : 20_000

  private nonisolated let thread = StoreThread(name: "deep")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  struct Running {
    let store: Store<AppState, AppAction>
    /// The view actions by which an instance emits each of its delegate actions.
    let actions: [String: AnyAction]
    let graph: Graph

    func emit(_ name: String) throws {
      let current = try #require(store.state.current)
      store.send(.instance(current, try #require(actions[name])))
    }

    func checkSound() {
      #expect(Invariants.broken(in: store.state, of: graph) == [])
    }
  }

  func run(_ body: @Sendable (Running) throws -> Void) throws {
    let target = Target(node: 0)
    let graph = Graph(
      name: "deep", title: "Deep", nodes: [Node(name: "deep", content: .feature("Mock.Probe"))],
      start: target,
      routes: [
        Route(node: 0, action: "go", verbs: [.push(target, singleTop: false, .refuse)]),
        Route(node: 0, action: "more", verbs: [.present(target, .refuse)]),
        Route(node: 0, action: "other", verbs: [.reset(target)]),
      ])
    let features = try TestApp.features(of: graph)
    let store = Store(
      initialState: AppState(), reducer: Router(graph: graph, features: features), isolation: self)
    store.send(.navigate(.begin))
    let feature = try #require(features[0])
    let screen = feature.screen(try feature.makeState(.null))
    let actions = ["go", "more", "other"].map { name in
      (name, screen.action(control: 0, input: .text(name)))
    }
    try body(
      Running(
        store: store, actions: Dictionary(uniqueKeysWithValues: actions).compactMapValues { $0 },
        graph: graph))
  }
}
