import AppCore
import Testing

@testable import Navigation

@MainActor
@Suite("Router: instances")
struct LifetimeTests {
  @Test("An instance's effects begin when it is presented and end when it goes")
  func effects() async throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.worker, "a")]), (.worker, "go", [.present(.worker, "b")]))
    try app.emit(.list, "go")
    try app.emit(.worker, "go")
    #expect(await app.record.lines(2) == ["a starts", "b starts"])
    app.store.send(.navigate(.dismiss))
    #expect(await app.record.lines(3) == ["a starts", "b starts", "b ends"])
    app.store.send(.navigate(.back))
    #expect(await app.record.lines(4) == ["a starts", "b starts", "b ends", "a ends"])
  }

  @Test("Modals, tabs and background go with their instance, with their effects")
  func everythingGoes() async throws {
    let app = try TestApp(
      .login, (.login, "go", [.push(.watched)]), (.list, "go", [.push(.worker, "stack")]),
      (.worker, "go", [.present(.worker, "modal")]),
      (.login, "more", [.replace(.home, ifCovered: .cut)]))
    try app.emit(.login, "go")
    try app.emit(.list, "go")
    try app.emit(.worker, "go")
    #expect(app.picture == "login > watched(*list > worker#stack) ! worker#modal")
    try app.emit(.login, "more")
    #expect(app.picture == "home(*list | - | -)")
    #expect(
      Set(await app.record.lines(6).filter { $0.hasSuffix("ends") })
        == ["stack ends", "modal ends", "w ends"])
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  @Test("A replaced instance ends, and its modal with it")
  func replaced() async throws {
    let app = try TestApp(
      .worker, tag: "a", (.worker, "go", [.present(.worker, "b")]),
      (.worker, "more", [.replace(.list, ifCovered: .cut)]))
    let first = try app.last(.worker)
    try app.emit(first, "go")
    try app.emit(first, "more")
    #expect(app.picture == "list")
    #expect(Set(await app.record.lines(4)) == ["a starts", "b starts", "a ends", "b ends"])
  }

  @Test("An action for an instance that is gone never reaches one made later in its place")
  func staleAction() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.detail, "go", [.reset(.login)]))
    try app.emit(.list, "go")
    let old = try app.last(.detail)
    let stale = try app.typed("go", into: old)
    app.store.send(.navigate(.back))
    try app.emit(.list, "go")
    #expect(try app.last(.detail) != old)
    app.store.send(.instance(old, stale))
    #expect(app.picture == "list > detail")
    #expect(app.journal == ["gone"])
  }

  @Test("A container's background instances are made with it and go with it")
  func background() async throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.watched)]), (.monitor, "go", [.reset(.login)]))
    try app.emit(.list, "go")
    #expect(await app.record.lines(1) == ["w starts"])
    #expect(app.state.instances[try app.last(.worker)]?.host == (try app.last(.watched)))
    app.store.send(.navigate(.back))
    #expect(await app.record.lines(2) == ["w starts", "w ends"])
    #expect(app.all(.monitor).isEmpty)
  }

  @Test("The app's own background instances begin with it and outlive a reset")
  func appBackground() async throws {
    let app = try TestApp(
      .list, background: [Target(.worker, "app"), Target(.monitor)],
      (.list, "go", [.reset(.login)]),
      (.monitor, "go", [.push(.detail)]))
    let monitor = try app.last(.monitor)
    #expect(app.state.navigation.background == [try app.last(.worker), monitor])
    #expect(await app.record.lines(1) == ["app starts"])
    try app.emit(.list, "go")
    #expect(await app.record.lines(1) == ["app starts"])
    #expect(try app.last(.monitor) == monitor)
    try app.emit(.monitor, "go")
    #expect(app.picture == "login > detail")
    app.store.send(.navigate(.begin))
    #expect(app.picture == "list")
    #expect(app.all(.monitor) == [monitor])
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  @Test("An app whose background can't be made does not begin")
  func backgroundUnavailable() throws {
    let app = try TestApp(.list, background: [Target(.broken)])
    #expect(app.picture == "")
    #expect(app.journal == ["unavailable"])
    app.store.send(.navigate(.back))
    app.store.send(.navigate(.dismiss))
    app.store.send(.navigate(.select(node: Place.list.node)))
    #expect(app.journal == ["unavailable", "at-root", "not-in-modal", "not-current"])
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  @Test("A state is changed in place, and copied only where an old one is kept")
  func inPlace() throws {
    let node = Node(name: "sole", content: .feature("Mock.Sole"))
    let app = try TestApp(
      graph: Graph(name: "sole", title: "Sole", nodes: [node], start: Target(node: 0), routes: []))
    let id = try #require(app.state.current)
    try app.emit(id, "x")
    try app.emit(id, "x")
    #expect(try app.heard(id) == ["sole", "sole", "sole"])
    let kept = app.state
    try app.emit(id, "x")
    #expect(try app.heard(id) == ["sole", "sole", "sole", "shared"])
    #expect(kept.current == id)
  }

  @Test("A container that contains itself is refused, not made without end")
  func containerInItself() throws {
    let node = Node(name: "loop", content: .tabs([Target(node: 0)]))
    let app = try TestApp(
      graph: Graph(name: "loop", title: "Loop", nodes: [node], start: Target(node: 0), routes: []))
    #expect(app.journal == ["unavailable"])
  }

  @Test("Containers that would make instances without number are refused")
  func containersThatMultiply() throws {
    // Each level has the next one twice: 2 to the power of 30 instances.
    var nodes = (0..<30).map { level in
      let next = Target(node: level + 1)
      return Node(name: "level\(level)", content: .tabs([next]), background: [next])
    }
    nodes.append(Node(name: "leaf", content: .feature("Mock.Probe")))
    let app = try TestApp(
      graph: Graph(name: "wide", title: "Wide", nodes: nodes, start: Target(node: 0), routes: []))
    #expect(app.journal == ["unavailable"])
    #expect(app.state.instances.count == 0)
  }
}
