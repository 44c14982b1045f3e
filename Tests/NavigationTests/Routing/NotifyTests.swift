import AppCore
import Testing

@testable import Navigation

@MainActor
@Suite("Router: notify")
struct NotifyTests {
  @Test("The presenter is who pushed or presented the emitter")
  func presenter() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.detail, "go", [.present(.dialog)]),
      (.dialog, "go", [.tell(.presenter)]), (.detail, "more", [.tell(.presenter)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.dialog, "go=a")
    try app.emit(.detail, "more=b")
    #expect(try app.heard(.detail) == ["a"])
    #expect(try app.heard(.list) == ["b"])
  }

  @Test("The presenter of a background instance is that of its container")
  func presenterOfBackground() throws {
    let app = try TestApp(
      .login, (.login, "go", [.push(.watched)]), (.monitor, "go", [.tell(.presenter)]))
    try app.emit(.login, "go")
    try app.emit(.monitor, "go=a")
    #expect(try app.heard(.login) == ["a"])
  }

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

  @Test("Without a presenter or an opener the notification is dropped, and the rest happens")
  func none() throws {
    let app = try TestApp(
      .list, background: [Target(.monitor)],
      (.list, "go", [.tell(.presenter), .push(.detail), .tell(.opener)]),
      (.monitor, "go", [.tell(.presenter), .tell(.opener)]))
    try app.emit(.list, "go=a")
    #expect(app.picture == "list > detail")
    #expect(app.journal == ["no-receiver told", "no-receiver told"])
    try app.emit(.monitor, "go")
    #expect(app.journal.count == 4)
  }

  @Test("A presenter that is gone gets nothing, and the rest happens")
  func presenterGone() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.detail)]), (.detail, "go", [.select(.alerts)]),
      (.detail, "more", [.present(.dialog, ifCovered: .over)]), (.detail, "other", [.back]),
      (.dialog, "go", [.tell(.presenter), .push(.settings)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go more")
    #expect(try app.presenter(.dialog) == .detail)
    try app.emit(.detail, "other")
    #expect(app.picture == "home(list | *alerts | -) ! dialog")
    try app.emit(.dialog, "go")
    #expect(app.picture == "home(list | *alerts | -) ! dialog > settings")
    #expect(app.journal == ["no-receiver told"])
  }

  @Test("The emitter and its presenter may go in the step; receivers are those before it")
  func readBefore() throws {
    let app = try TestApp(
      .login, (.login, "go", [.push(.list)]), (.list, "go", [.present(.dialog)]),
      (.dialog, "go", [.dismiss, .tell(.presenter), .tell(.opener)]),
      (.dialog, "more", [.dismiss, .back, .tell(.presenter), .push(.detail)]))
    try app.emit(.login, "go")
    try app.emit(.list, "go")
    try app.emit(.dialog, "go=a")
    #expect(app.picture == "login > list")
    #expect(try app.heard(.list) == ["a", "a"])
    try app.emit(.list, "go")
    try app.emit(.dialog, "more")
    #expect(app.picture == "login > detail")
    #expect(app.journal == ["no-receiver told"])
  }

  @Test("'current' is the current instance after the step")
  func current() throws {
    let app = try TestApp(
      .list, background: [Target(.monitor)], (.list, "go", [.tell(.current), .push(.detail)]),
      (.monitor, "go", [.tell(.current)]))
    try app.emit(.list, "go=a")
    #expect(try app.heard(.detail) == ["a"])
    #expect(try app.heard(.list) == [])
    try app.emit(.monitor, "go=b")
    #expect(try app.heard(.detail) == ["a", "b"])
  }

  @Test("Notifications are delivered in order, after the step's navigation")
  func order() throws {
    let app = try TestApp(
      .list, (.list, "go", [.tell(.list), .push(.detail), .tell(.current)]),
      (.detail, "go", [.tell(.list), .tell(.presenter), .tell(.opener), .back]))
    try app.emit(.list, "go=a")
    try app.emit(.detail, "go=b")
    #expect(try app.heard(.list) == ["b", "b"])
    #expect(app.picture == "list")
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

  @Test("A receiver without the input, and a container, get nothing; it is logged")
  func noInput() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.deaf)]), (.deaf, "go", [.tell(.current), .tell(.home)]))
    try app.emit(.list, "go")
    try app.emit(.deaf, "go")
    #expect(app.journal == ["no-receiver told", "no-receiver told"])
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

  @Test("A refused step notifies nobody")
  func refused() throws {
    let app = try TestApp(
      .list, background: [Target(.monitor)], (.list, "go", [.tell(.monitor), .back]))
    try app.emit(.list, "go=a")
    #expect(try app.heard(.monitor) == [])
    #expect(app.journal == ["at-root"])
  }

  @Test("The root of a tab that was never selected is made for its notification, and not selected")
  func tabNotVisited() throws {
    let app = try TestApp(.home, (.list, "go", [.tell(.settings)]))
    try app.emit(.list, "go=a")
    #expect(app.picture == "home(*list | - | settings)")
    #expect(try app.heard(.settings) == ["a"])
    try app.emit(.list, "go=b")
    #expect(try app.heard(.settings) == ["a", "b"])
    #expect(app.all(.settings).count == 1)
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  @Test("Tabs within tabs are made too, and nothing where the feature can't be made")
  func tabsWithin() throws {
    let app = try TestApp(
      .login, (.login, "go", [.push(.nest)]), (.detail, "go", [.tell(.dialog)]),
      (.login, "more", [.push(.fragile)]), (.list, "go", [.tell(.broken)]))
    try app.emit(.login, "go")
    try app.emit(.detail, "go=a")
    #expect(app.picture == "login > nest(*pair(*detail | dialog) | -)")
    #expect(try app.heard(.dialog) == ["a"])
    app.store.send(.navigate(.back))
    try app.emit(.login, "more")
    try app.emit(.list, "go=b")
    #expect(app.picture == "login > fragile(*list | -)")
    #expect(app.journal == ["no-receiver told"])
  }

  @Test("A tab is made in the container that was there before the step, not in one it creates")
  func tabOfContainerBeforeStep() throws {
    let app = try TestApp(.home, (.list, "go", [.replace(.home), .tell(.settings)]))
    try app.emit(.list, "go=a")
    #expect(app.picture == "home(*home(*list | - | -) | - | settings)")
    #expect(try app.heard(.settings) == ["a"])
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  @Test("A container that the step itself creates gets no tab")
  func tabOfContainerThatComes() throws {
    let app = try TestApp(.login, (.login, "go", [.push(.home), .tell(.settings)]))
    try app.emit(.login, "go=a")
    #expect(app.picture == "login > home(*list | - | -)")
    #expect(app.journal == ["no-receiver told"])
  }

  @Test("A container that the step itself removes gets no tab")
  func tabOfContainerThatGoes() throws {
    let app = try TestApp(.home, (.list, "go", [.tell(.settings), .reset(.login)]))
    try app.emit(.list, "go=a")
    #expect(app.picture == "login")
    #expect(app.journal == ["no-receiver told"])
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
