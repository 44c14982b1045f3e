import AppCore
import Testing

@testable import Navigation

@MainActor
@Suite("Router: do, reset and ignore")
struct StepTests {
  @Test("The verbs of a step go on from what is in front after each of them")
  func anchorMoves() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.detail)]), (.detail, "go", [.select(.alerts)]),
      (.alerts, "go", [.select(.list), .popTo(.list), .push(.login), .present(.pair)]),
      (.detail, "more", [.dismiss, .push(.settings)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.alerts, "go")
    #expect(app.picture == "home(*list > login | alerts | -) ! pair(*detail | -)")
    try app.emit(.detail, "more")
    #expect(app.picture == "home(*list > login > settings | alerts | -)")
    #expect(app.journal.isEmpty)
  }

  @Test("After a verb, the presenter of what the next one enters is what is in front then")
  func presenterMoves() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail), .push(.alerts), .present(.dialog)]))
    try app.emit(.list, "go")
    #expect(try app.presenter(.detail) == .list)
    #expect(try app.presenter(.alerts) == .detail)
    #expect(try app.presenter(.dialog) == .alerts)
  }

  @Test("After each verb that leaves, the anchor is what is in front there")
  func anchorAfterLeaving() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.pair)]), (.detail, "go", [.back, .push(.alerts)]),
      (.alerts, "go", [.popToRoot(), .push(.settings)]),
      (.settings, "go", [.popTo(.home), .push(.login)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    #expect(app.picture == "home(*list > alerts | - | -)")
    try app.emit(.alerts, "go")
    #expect(app.picture == "home(*list > settings | - | -)")
    try app.emit(.settings, "go")
    #expect(app.picture == "home(*list > settings > login | - | -)")
  }

  @Test("A covered emitter may leave and then enter from the front")
  func leaveThenEnter() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.detail, "go", [.push(.alerts)]),
      (.detail, "more", [.back, .push(.settings)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.detail, "more")
    #expect(app.picture == "list > settings")
  }

  @Test("If one verb can't apply, nothing changes", arguments: steps)
  func allOrNothing(verbs: [RouteVerb]) async throws {
    let app = try TestApp(
      .worker, tag: "first", (.worker, "go", [.push(.home)]), (.list, "go", [.push(.detail)]),
      (.detail, "go", verbs))
    try app.emit(.worker, "go")
    try app.emit(.list, "go")
    let (picture, record) = (app.picture, await app.record.lines(1))
    try app.emit(.detail, "go")
    #expect(app.picture == picture)
    #expect(app.record.all == record)
    #expect(app.journal.count == 1)
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  nonisolated static let steps: [[RouteVerb]] = [
    [.push(.worker), .push(.broken)],
    [.back, .back, .back, .back],
    [.reset(.worker), .dismiss],
    [.present(.worker), .back, .dismiss],
    [.select(.alerts), .popTo(.detail)],
    [.select(.alerts), .push(.worker), .select(.dialog)],
    [.popTo(.list), .popTo(.list, inclusive: true)],
    [.replace(.worker), .replace(.broken)],
    [.push(.limited), .push(.limited), .push(.limited)],
  ]

  @Test("An instance that a step makes and removes again is never started")
  func madeAndRemoved() throws {
    let app = try TestApp(.list, (.list, "go", [.push(.worker), .back, .push(.detail)]))
    try app.emit(.list, "go")
    #expect(app.picture == "list > detail")
    #expect(app.record.all == [])
  }

  @Test("Reset leaves nothing but the node, from wherever it is emitted", arguments: emitters)
  func reset(emitter: Place) async throws {
    let app = try TestApp(
      .watched, (.list, "go", [.push(.detail)]), (.detail, "go", [.present(.pair, "p")]),
      (.dialog, "go", [.present(.alerts)]), (emitter, "other", [.reset(.home, "new")]),
      (.detail, "more", [.select(.dialog)]))
    try app.emit(.list, "go")
    try app.emit(try #require(app.all(.detail).first), "go")
    try app.emit(.detail, "more")
    try app.emit(.dialog, "go")
    #expect(app.picture == "watched(*list > detail) ! pair#p(detail#p | *dialog#p) ! alerts")
    try app.emit(emitter, "other")
    #expect(app.picture == "home#new(*list#new | - | -)")
    #expect(await app.record.lines(2) == ["w starts", "w ends"])
    #expect(try app.presenter(.home) == nil)
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  nonisolated static let emitters: [Place] = [.alerts, .dialog, .detail, .list, .monitor, .worker]

  @Test("A reset to what can't be made is refused, and nothing changes")
  func resetUnavailable() throws {
    let app = try TestApp(
      .list, (.list, "go", [.present(.dialog)]), (.list, "more", [.reset(.broken)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list ! dialog")
    #expect(app.journal == ["unavailable"])
  }

  @Test("Verbs may follow a reset, from its front")
  func afterReset() throws {
    let app = try TestApp(
      .login, (.login, "go", [.reset(.home), .select(.alerts), .push(.detail)]))
    try app.emit(.login, "go")
    #expect(app.picture == "home(list | *alerts > detail | -)")
  }

  @Test("Ignore does nothing, and is not refused")
  func ignore() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.list, "more", [.ignore]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list > detail")
    #expect(app.journal.isEmpty)
  }

  @Test("A delegate action without a route does nothing, and never comes back to its feature")
  func noRoute() throws {
    let app = try TestApp(.list)
    try app.emit(.list, "go")
    #expect(app.picture == "list")
    #expect(try app.heard(.list) == [])
  }

  @Test("Arguments take their references from the payload, laid over the node's own")
  func arguments() throws {
    let target = Target(node: Place.detail.node, arguments: .object(["tag": .payload(["text"])]))
    let app = try TestApp(.list, (.list, "go", [.push(target, singleTop: false, .refuse)]))
    try app.emit(.list, "go=seven")
    #expect(app.picture == "list > detail#seven")
  }
}
