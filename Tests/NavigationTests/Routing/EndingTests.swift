import AppCore
import Testing

@testable import Navigation

@MainActor
@Suite("Router: ending")
struct EndingTests {
  /// A way of removing the finisher that is in front of the list, and what removes it.
  enum Way: String, CaseIterable {
    case back, dismiss, popTo, replace, reset, personsBack, personsDismiss, beneath, link
  }

  /// What a finisher's record holds once it is removed.
  private static func ended(_ tag: String) -> Set<String> {
    ["\(tag) ends", "\(tag) cancelled", "\(tag) saved 1", "\(tag) saved 2"]
  }

  /// A clock on which no time passes, so that no limit depends on the load.
  private static let stopped = AppClock(
    now: { .zero }, sleep: { _ in try await Task.sleep(for: .seconds(86_400)) })

  private func waitForEnd(_ app: TestApp) async {
    while app.state.isEnding { await Task.yield() }
  }

  @Test("By whatever route an instance goes, it does what is due, in as many steps as it takes")
  func everyWay() async throws {
    for way in Way.allCases {
      let verb: RouteVerb =
        switch way {
        case .back: .back
        case .dismiss: .dismiss
        case .popTo: .popTo(.list)
        case .replace: .replace(.login)
        default: .reset(.login)
        }
      let app = try TestApp(
        .list, clock: Self.stopped, (.list, "go", [.present(.finisher, "f")]),
        (.list, "more", [.reset(.login)]),
        (.finisher, "go", [.push(.detail)]), (.finisher, "more", [verb]))
      try app.emit(.list, "go")
      switch way {
      case .personsBack: app.store.send(.navigate(.back))
      case .personsDismiss: app.store.send(.navigate(.dismiss))
      case .beneath:
        try app.emit(.finisher, "go")
        try app.emit(.list, "more")
      case .link:
        let plan = LinkPlan(
          address: "login",
          steps: [.push(Target(node: Place.login.node), isLiving: false)],
          needs: nil)
        app.store.send(.navigate(.open(plan)))
      default: try app.emit(.finisher, "more")
      }
      #expect(Set(await app.record.lines(4)) == Self.ended("f"), "\(way)")
      await waitForEnd(app)
      #expect(app.all(.finisher).isEmpty)
      // What it tells the graph has no route any more.
      #expect(app.journal == ["gone"], "\(way)")
      #expect(Invariants.broken(in: app.state, of: app.graph) == [])
    }
  }

  @Test("Instances without anything to do are gone at once, and those in their modals end too")
  func idle() async throws {
    let app = try TestApp(
      .list, clock: Self.stopped, (.list, "go", [.push(.finisher, "idle")]),
      (.finisher, "go", [.present(.finisher, "f")]), (.list, "more", [.reset(.login)]))
    try app.emit(.list, "go")
    try app.emit(.finisher, "go")
    try app.emit(.list, "more")
    let due = Self.ended("f").union(["idle ends", "idle cancelled"])
    #expect(Set(await app.record.lines(6)) == due)
    await waitForEnd(app)
    #expect(app.picture == "login")
  }

  @Test("A step that is refused ends nothing, and what one step makes and removes never begins")
  func steps() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.finisher, "f"), .back]),
      (.list, "more", [.push(.finisher, "g")]), (.finisher, "go", [.back, .push(.broken)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    try app.emit(.finisher, "go")
    #expect(app.picture == "list > finisher#g")
    #expect(app.journal == ["unavailable"])
    #expect(app.record.all == [])
    #expect(!app.state.isEnding)
  }

  @Test("After 5 seconds of the app's clock the effects are cancelled, and the log says so")
  func overdue() async throws {
    let (deadlines, passed) = AsyncStream.makeStream(of: Duration.self)
    let clock = AppClock(now: { .zero }, sleep: { passed.yield($0) })
    let app = try TestApp(
      .list, clock: clock, (.list, "go", [.push(.finisher, "stuck")]), (.finisher, "go", [.back]))
    try app.emit(.list, "go")
    try app.emit(.finisher, "go")
    for await deadline in deadlines {
      #expect(deadline == .seconds(5))
      break
    }
    #expect(
      Set(await app.record.lines(3)) == ["stuck ends", "stuck cancelled", "stuck end cancelled"])
    await waitForEnd(app)
    #expect(app.journal.count == 1)
    guard case .warned(let rejection)? = app.state.journal.events.last?.outcome,
      "\(rejection)".hasPrefix("'finisher' #"), "\(rejection)".hasSuffix("[overdue]")
    else {
      Issue.record("the log does not say that it took too long")
      return
    }
  }

  @Test("The end of the app asks those that live, and no instance twice, whatever they tell")
  func end() async throws {
    for verb in [RouteVerb.push(.finisher, "new"), .back] {
      let app = try TestApp(
        .list, clock: Self.stopped, (.list, "go", [.push(.finisher, "f")]),
        (.finisher, "more", [.push(.finisher, "g")]), (.finisher, "go", [verb]))
      try app.emit(.list, "go")
      try app.emit(.finisher, "more")
      app.store.send(.navigate(.back))
      await app.store.send(.end).finish()
      // Not 'f cancelled': the rest of what it does goes with the app.
      let due = Self.ended("g").union(["f ends", "f saved 1", "f saved 2"])
      #expect(Set(await app.record.lines(7)) == due)
      #expect(app.record.all.filter { $0.hasSuffix("ends") } == ["g ends", "f ends"])
      #expect(app.picture == "list > finisher#f")
      app.store.send(.navigate(.back))
      #expect(app.picture == "list > finisher#f")
    }
  }
}
