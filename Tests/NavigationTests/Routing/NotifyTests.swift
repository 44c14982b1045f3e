import AppCore
import Testing

@testable import Navigation

/// What stories can't say; the others are in `Tests/Fixtures/routing/notify.txt`.
@MainActor
@Suite("Router: notify")
struct NotifyTests {
  @Test("A single value without a label is the payload itself")
  func singleValue() throws {
    let app = try TestApp(
      .list,
      (.list, "go", [.push(.detail), .notify(.current, input: "asked", .value(.bool(true)))]))
    try app.emit(.list, "go")
    #expect(try app.heard(.detail) == ["true"])
  }

  @Test("A payload that does not fit is logged with its reason, and nothing is delivered")
  func invalid() throws {
    let app = try TestApp(
      .list, (.list, "go", [.notify(.current, input: "told", .object(["text": .value(.int(1))]))]))
    try app.emit(.list, "go")
    #expect(try app.heard(.list) == [])
    #expect(app.journal.count == 1)
    #expect(app.journal.first?.hasPrefix("invalid 'told.text'") == true, "\(app.journal)")
  }

  @Test("Every living instance is notified, the oldest first, and the emitter is not")
  func all() throws {
    let app = try TestApp(
      .list, tag: "a", (.list, "go", [.push(.list, "b")]), (.list, "more", [.push(.detail)]),
      (.detail, "go", [.tell(.all(Place.list.node))]),
      (.list, "other", [.tell(.all(Place.list.node))]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    try app.emit(.detail, "go=x")
    #expect(try app.all(.list).map { try app.heard($0) } == [["x"], ["x"]])
    let told = app.state.journal.events.compactMap { event -> InstanceID? in
      if case .notified(let id, _, _) = event.outcome { id } else { nil }
    }
    #expect(told == app.all(.list))
    try app.emit(.list, "other=y")
    #expect(try app.all(.list).map { try app.heard($0) } == [["x", "y"], ["x"]])
  }
}
