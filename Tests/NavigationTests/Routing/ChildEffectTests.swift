@_spi(Host) import AppCore
import Testing

@_spi(Host) @testable import Navigation

/// Effects of children within a feature end with the child in an app, as they do in a store of its own.
@MainActor
@Suite("Router: effects of children", .timeLimit(.minutes(30)))
struct ChildEffectTests {
  private static let graph = Graph(
    name: "test", title: "Test",
    nodes: ["first", "second"].map { Node(name: $0, content: .feature("Mock.Desk")) },
    start: Target(node: 0), background: [Target(node: 1)], routes: [])

  /// An app whose children's effects answer when `gate` is finished.
  private func app() throws -> (app: TestApp, gate: AsyncStream<Never>.Continuation) {
    let (gate, continuation) = AsyncStream.makeStream(of: Never.self)
    let clock = AppClock(
      now: { .zero },
      sleep: { deadline in
        guard deadline == Desk.delay else { return try await Task.sleep(for: .seconds(86_400)) }
        for await _ in gate {}
        try Task.checkCancellation()
      })
    return (try TestApp(graph: Self.graph, clock: clock), continuation)
  }

  private func action(_ coded: Value, _ id: InstanceID, in app: TestApp) throws -> AppAction {
    let feature = try #require(app.features.first ?? nil)
    return .instance(id, try #require(try feature.action(coded)))
  }

  @Test("An effect does not answer a child that has replaced its own", arguments: Desk.asks)
  func replaced(_ ask: Value) async throws {
    for isNoticed in [false, true] {
      let (app, gate) = try app()
      let id = try #require(app.state.current)
      let task = app.store.send(try action(ask, id, in: app))
      #expect(!task.hasEnded)
      app.store.send(try action(Desk.replace, id, in: app))
      // Any action of the reducer that has the children ends it.
      if isNoticed { app.store.send(try action(Desk.touch, id, in: app)) }
      gate.finish()
      await task.finish()
      #expect(app.record.all == [])
    }
  }

  @Test("An effect is cancelled with the next action after its child was replaced")
  func cancelled() async throws {
    let (app, gate) = try app()
    let id = try #require(app.state.current)
    let task = app.store.send(try action(Desk.asks[0], id, in: app))
    app.store.send(try action(Desk.replace, id, in: app))
    app.store.send(try action(Desk.touch, id, in: app))
    await task.finish()
    withExtendedLifetime(gate) {}
  }

  @Test("An effect answers its child as long as that is there", arguments: Desk.asks)
  func kept(_ ask: Value) async throws {
    let (app, gate) = try app()
    let id = try #require(app.state.current)
    let task = app.store.send(try action(ask, id, in: app))
    app.store.send(try action(Desk.touch, id, in: app))
    gate.finish()
    await task.finish()
    #expect(app.record.all == ["1"])
  }

  @Test("A child of one instance is not taken for that of another")
  func instances() async throws {
    let (app, gate) = try app()
    let first = try #require(app.state.current)
    let task = app.store.send(try action(Desk.asks[0], first, in: app))
    let second = try #require(app.state.instances.ids.first { $0 != first })
    app.store.send(try action(Desk.replace, second, in: app))
    app.store.send(try action(Desk.touch, second, in: app))
    gate.finish()
    await task.finish()
    #expect(app.record.all == ["1"])
  }

  @Test("Nor does an effect of an instance that is removed and has not ended yet")
  func ending() async throws {
    for isReplaced in [false, true] {
      let (app, gate) = try app()
      let id = try #require(app.state.current)
      // A link takes the place of what is shown.
      let plan = LinkPlan(
        address: "second", steps: [.push(Target(node: 1), isLiving: false)], needs: nil)
      app.store.send(.navigate(.open(plan)))
      #expect(app.state.current != id && app.state.isEnding)
      app.store.send(try action(Desk.asks[0], id, in: app))
      if isReplaced { app.store.send(try action(Desk.replace, id, in: app)) }
      gate.finish()
      while app.state.isEnding { await Task.yield() }
      #expect(app.record.all == (isReplaced ? [] : ["1"]))
    }
  }
}
