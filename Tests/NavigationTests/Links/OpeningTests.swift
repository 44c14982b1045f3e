import AppCore
import Testing

@testable import Navigation

@MainActor
@Suite("Opening a link")
struct OpeningTests {
  @Test("Its steps are those on an empty app; what is modal closes")
  func onAnEmptyApp() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.detail)]), (.detail, "go", [.present(.dialog)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    let home = try app.last(.home)
    let list = try app.last(.list)
    app.open(.push(.home), .select(.alerts), .push(.settings))
    #expect(app.picture == "home(list > detail | *alerts > settings | -)")
    #expect(try app.last(.home) == home)
    #expect(try app.last(.list) == list)
    #expect(app.all(.dialog).isEmpty)
    app.open(.push(.login), .present(.dialog), .push(.detail))
    #expect(app.picture == "login ! dialog > detail")
  }

  @Test("The screens above the place that a link opens are left")
  func cutsWhatIsAbove() throws {
    let app = try TestApp(.home, (.list, "go", [.push(.detail)]), (.detail, "go", [.push(.detail)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    let first = app.all(.detail)[0]
    app.open(.push(.home), .select(.list), .push(.detail))
    #expect(app.picture == "home(*list > detail | - | -)")
    #expect(app.all(.detail) == [first])
    app.open(.push(.home))
    #expect(app.picture == "home(*list | - | -)")
  }

  @Test("Other arguments are another instance")
  func otherArguments() throws {
    let app = try TestApp(.login, (.login, "go", [.push(.detail, "a")]))
    try app.emit(.login, "go")
    let detail = try app.last(.detail)
    app.open(.push(.login), .push(.detail, "a"))
    #expect(try app.last(.detail) == detail)
    app.open(.push(.login), .push(.detail, "b"))
    #expect(try app.last(.detail) != detail)
    #expect(app.all(.detail).count == 1)
  }

  @Test("A link that needs a node waits until an instance of it lives, and keeps that one")
  func waits() throws {
    let app = try TestApp(.login, (.login, "go", [.replace(.home, "token")]))
    app.open(.living(.home), .select(.alerts), .push(.detail), needs: .home)
    #expect(app.picture == "login")
    #expect(app.state.waitingLink != nil)
    guard case .waiting(let link, let node)? = app.state.journal.events.last?.outcome else {
      return #expect(Bool(false), "\(app.state.journal.events)")
    }
    #expect(link == "test" && node == Place.home.rawValue)
    try app.emit(.login, "go")
    #expect(app.picture == "home#token(list#token | *alerts#token > detail | -)")
    #expect(app.state.waitingLink == nil)
    let home = try app.last(.home)
    #expect(app.state.instances[home]?.arguments == ["tag": "token"])
    #expect(app.state.journal.events.last?.origin == .person(command: "open test"))
  }

  @Test("The living instance is kept where it stands, beneath others or in a hidden tab")
  func livingElsewhere() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.nest)]), (.detail, "go", [.push(.settings)]))
    try app.emit(.list, "go")
    let nest = try app.last(.nest)
    try app.emit(.detail, "go")
    app.store.send(.navigate(.select(node: Place.alerts.node)))
    app.open(.living(.nest), .select(.login), needs: .nest)
    #expect(app.picture == "home(*list > nest(pair(*detail > settings | -) | *login) | alerts | -)")
    #expect(try app.last(.nest) == nest)
  }

  @Test("A later link takes the place of one that waits")
  func latestWaits() throws {
    let app = try TestApp(.login, (.login, "go", [.replace(.home)]))
    app.open(.living(.home), .select(.alerts), needs: .home)
    app.open(.living(.home), .select(.settings), needs: .home)
    try app.emit(.login, "go")
    #expect(app.picture == "home(list | - | *settings)")
  }

  @Test("Where one step can't apply nothing changes, even if it waited")
  func atomic() throws {
    let app = try TestApp(.login, (.login, "go", [.push(.home)]))
    app.open(.push(.detail), .push(.broken))
    app.open(.push(.login), .push(.limited), .push(.limited), .push(.limited))
    app.open(.push(.login), .select(.alerts))
    #expect(app.journal == ["unavailable", "max-depth", "no-such-tab"])
    #expect(app.picture == "login")
    app.open(.living(.home), .push(.broken), needs: .home)
    try app.emit(.login, "go")
    #expect(app.picture == "login > home(*list | - | -)")
    #expect(app.journal.last == "unavailable")
    guard case .refused(_, "open test", _)? = app.state.journal.events.last?.outcome else {
      return #expect(Bool(false), "\(app.state.journal.events)")
    }
  }

  @Test("A place of 100,000 is opened, and opened again where all of it stands")
  func deep() throws {
    let app = try TestApp(.login)
    let depth = 100_000
    let steps: [Link.Step] =
      [.push(.login)] + (0..<depth).map { .push(.detail, "\($0)") }
    app.store.send(.navigate(.open(LinkPlan(address: "deep", steps: steps, needs: nil))))
    let top = app.state.current
    #expect(app.state.instances.count == depth + 1)
    app.store.send(
      .navigate(.open(LinkPlan(address: "deep", steps: steps + [.push(.settings)], needs: nil))))
    #expect(app.state.instances.count == depth + 2)
    #expect(app.state.current.flatMap { app.state.parent(of: $0) } == top)
  }
}

extension Link.Step {
  fileprivate static func push(_ place: Place, _ tag: String? = nil) -> Self {
    .push(Target(node: place.node, value(tag)), isLiving: false)
  }

  fileprivate static func present(_ place: Place) -> Self {
    .present(Target(node: place.node, value(nil)))
  }

  fileprivate static func select(_ place: Place) -> Self { .select(node: place.node) }

  fileprivate static func living(_ place: Place) -> Self {
    .push(Target(node: place.node, value(nil)), isLiving: true)
  }

  private static func value(_ tag: String?) -> Value {
    tag.map { ["tag": .string($0)] } ?? [:]
  }
}

extension TestApp {
  fileprivate func open(_ steps: Link.Step..., needs: Place? = nil) {
    var steps = steps
    // As the graph does: what a node itself gives is part of its arguments.
    for (index, step) in steps.enumerated() {
      if case .push(let target, let isLiving) = step {
        let arguments = graph.arguments(of: target, payload: .null)
        steps[index] = .push(Target(node: target.node, arguments), isLiving: isLiving)
      }
    }
    store.send(.navigate(.open(LinkPlan(address: "test", steps: steps, needs: needs?.node))))
  }
}
