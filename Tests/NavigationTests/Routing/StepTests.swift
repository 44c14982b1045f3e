import AppCore
import Testing

@testable import Navigation

/// What stories can't say; the others are in `Tests/Fixtures/routing`.
@MainActor
@Suite("Router: steps")
struct StepTests {
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

  @Test("Arguments take their references from the payload, laid over the node's own")
  func arguments() throws {
    let target = Target(node: Place.detail.node, arguments: .object(["tag": .payload(["text"])]))
    let app = try TestApp(.list, (.list, "go", [.push(target, singleTop: false, .refuse)]))
    try app.emit(.list, "go=seven")
    #expect(app.picture == "list > detail#seven")
  }

  @Test("A null among the arguments is one that is not given")
  func singleTopNull() throws {
    let pushed = Target(
      node: Place.list.node, arguments: .object(["tag": .payload(["nothing"])]))
    let app = try TestApp(.list, (.list, "go", [.push(pushed, singleTop: true, .refuse)]))
    let before = try app.last(.list)
    try app.emit(.list, "go")
    #expect(try app.last(.list) == before)
  }
}
