import AppCore
import Testing

@testable import Navigation

/// What stories can't say; the others are in `Tests/Fixtures/routing/open.txt`.
@MainActor
@Suite("Opening a link")
struct OpeningTests {
  @Test("A place of 100,000 is opened, and opened again where all of it stands")
  func deep() throws {
    let app = try TestApp(.login)
    let depth = 100_000
    func open(_ steps: [Link.Step]) {
      app.store.send(.navigate(.open(LinkPlan(address: "deep", steps: steps, needs: nil))))
    }
    func push(_ place: Place, _ tag: String?) -> Link.Step {
      .push(Target(node: place.node, tag.map { ["tag": .string($0)] } ?? [:]), isLiving: false)
    }
    let steps = [push(.login, nil)] + (0..<depth).map { push(.detail, "\($0)") }
    open(steps)
    let top = app.state.current
    #expect(app.state.instances.count == depth + 1)
    open(steps + [push(.settings, nil)])
    #expect(app.state.instances.count == depth + 2)
    #expect(app.state.current.flatMap { app.state.parent(of: $0) } == top)
  }

  @Test("A link that waits says for what, and is the person's when it is opened")
  func waits() throws {
    let app = try TestApp(.login, (.login, "go", [.replace(.home, "token")]))
    let steps = [
      Link.Step.push(Target(node: Place.home.node), isLiving: true),
      .select(node: Place.alerts.node),
    ]
    app.store.send(
      .navigate(.open(LinkPlan(address: "test", steps: steps, needs: Place.home.node))))
    guard case .waiting("test", Place.home.rawValue)? = app.state.journal.events.last?.outcome
    else { return #expect(Bool(false), "\(app.state.journal.events)") }
    #expect(app.state.waitingLink != nil)
    try app.emit(.login, "go")
    #expect(app.state.waitingLink == nil)
    #expect(app.picture == "home#token(list#token | *alerts#token | -)")
    #expect(app.state.journal.events.last?.origin == .person(command: "open test"))
  }

  @Test("A path has as many instances as are asked for, the root among them")
  func limitedPath() throws {
    let app = try TestApp(.list, (.list, "go", [.push(.detail), .push(.dialog)]))
    try app.emit(.list, "go")
    let ids = [try app.last(.list), try app.last(.detail), try app.last(.dialog)]
    #expect(app.state.path(limit: 3) == ids)
    #expect(app.state.path(limit: 2) == [ids[0], ids[2]])
    #expect(app.state.path(limit: 1) == [ids[0]])
    #expect(app.state.path(limit: 0) == [])
    #expect(app.state.path(limit: -1) == [])
  }
}
