import AppCore
import Testing

@testable import Navigation

/// What stories can't say; the others are in `Tests/Fixtures/routing/notify.txt`.
@MainActor
@Suite("Router: notify")
struct NotifyTests {
  @Test("The opener is what the emitter's layer covers, also from within tabs and background")
  func opener() throws {
    let app = try TestApp(
      .list, (.list, "go", [.present(.dialog)]), (.dialog, "go", [.push(.watched)]),
      (.list, "more", [.tell(.opener)]), (.monitor, "go", [.tell(.opener)]),
      (.list, "other", [.tell(.opener)]))
    let bottom = try app.last(.list)
    try app.emit(.list, "go")
    try app.emit(.dialog, "go")
    try app.emit(.list, "more=a")
    try app.emit(.monitor, "go=b")
    #expect(try app.heard(bottom) == ["a", "b"])
  }

  @Test("Of several instances of a node, the nearest outward gets the notification")
  func nearest() throws {
    let app = try TestApp(
      .list, tag: "a", (.list, "go", [.push(.detail)]), (.detail, "go", [.present(.list, "b")]),
      (.list, "more", [.push(.dialog)]), (.dialog, "go", [.tell(.list)]),
      (.detail, "more", [.tell(.list)]))
    let outer = try app.last(.list)
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    let inner = try app.last(.list)
    try app.emit(inner, "more")
    try app.emit(.dialog, "go=x")
    try app.emit(.detail, "more=y")
    #expect(try app.heard(inner) == ["x"])
    #expect(try app.heard(outer) == ["y"])
  }

  @Test("The nearest outward of a background instance is sought from its container")
  func nearestFromBackground() throws {
    let app = try TestApp(
      .login, (.login, "go", [.push(.settings, "a"), .push(.watched), .present(.settings, "b")]),
      (.monitor, "go", [.tell(.settings)]))
    try app.emit(.login, "go")
    let nearest = try #require(app.all(.settings).first)
    try app.emit(.monitor, "go=x")
    #expect(try app.heard(nearest) == ["x"])
  }

  @Test("Where none stands outward, the one presented last gets the notification")
  func latest() throws {
    let app = try TestApp(
      .home, background: [Target(.monitor)],
      (.list, "go", [.push(.detail), .push(.detail, "b"), .select(.alerts)]),
      (.alerts, "go", [.tell(.detail)]), (.monitor, "go", [.tell(.detail)]))
    try app.emit(.list, "go")
    let details = app.all(.detail)
    #expect(details.count == 2)
    try app.emit(.alerts, "go=x")
    try app.emit(.monitor, "go=y")
    #expect(try app.heard(details[1]) == ["x", "y"])
    #expect(try app.heard(details[0]) == [])
  }

  @Test("A notification for a node never reaches the emitter itself")
  func neverEmitter() throws {
    let app = try TestApp(
      .list, tag: "a", (.list, "go", [.tell(.list)]), (.list, "more", [.push(.list, "b")]))
    try app.emit(.list, "go=x")
    #expect(app.journal == ["no-receiver told"])
    try app.emit(.list, "more")
    let lists = app.all(.list)
    try app.emit(lists[1], "go=y")
    try app.emit(lists[0], "go=z")
    #expect(try app.heard(lists[0]) == ["y"])
    #expect(try app.heard(lists[1]) == ["z"])
  }

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
