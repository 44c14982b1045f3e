import AppCore
internal import Diagnostics
import Testing

@testable import Navigation

@MainActor
@Suite("Router: select")
struct SelectTests {
  @Test("A tab's stack is made when it is first selected, and kept afterwards")
  func madeOnce() throws {
    let app = try TestApp(
      .home, tag: "t", (.list, "go", [.select(.alerts)]), (.alerts, "go", [.select(.list)]))
    #expect(app.picture == "home#t(*list#t | - | -)")
    try app.emit(.list, "go")
    let alerts = try app.last(.alerts)
    #expect(app.picture == "home#t(list#t | *alerts#t | -)")
    try app.emit(.alerts, "go")
    try app.emit(.list, "go")
    #expect(try app.last(.alerts) == alerts)
    #expect(app.all(.alerts).count == 1)
  }

  @Test("A tab that is selected already is accepted")
  func alreadySelected() throws {
    let app = try TestApp(.home, (.list, "go", [.select(.list)]))
    try app.emit(.list, "go")
    #expect(app.picture == "home(*list | - | -)")
    #expect(app.journal.isEmpty)
  }

  @Test("The nearest container outward that has the tab is meant")
  func nearest() throws {
    let app = try TestApp(
      .home, tag: "outer", (.list, "go", [.push(.home, "inner")]),
      (.list, "more", [.select(.settings)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(
      app.picture
        == "home#outer(*list#outer > home#inner(list#inner | - | *settings#inner) | - | -)")
  }

  @Test("A tab of a container further outward is found")
  func outward() throws {
    let app = try TestApp(.nest, (.detail, "go", [.select(.login)]))
    try app.emit(.detail, "go")
    #expect(app.picture == "nest(pair(*detail | -) | *login)")
  }

  @Test("A tab that no container outward has is refused")
  func noSuchTab() throws {
    let app = try TestApp(.list, (.list, "go", [.select(.alerts)]))
    try app.emit(.list, "go")
    #expect(app.journal == ["no-such-tab"])
  }

  @Test("From a modal, what is below changes, and the modal stays")
  func fromModal() throws {
    let app = try TestApp(
      .home, (.list, "go", [.present(.dialog)]), (.dialog, "go", [.select(.alerts)]),
      (.dialog, "more", [.tell(.opener)]))
    try app.emit(.list, "go")
    try app.emit(.dialog, "go")
    #expect(app.picture == "home(list | *alerts | -) ! dialog")
    #expect(try app.state.current == app.last(.dialog))
    try app.emit(.dialog, "more=x")
    #expect(try app.heard(.list) == ["x"])
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  @Test("When a modal that changed the tab below closes, the next verb continues from what shows")
  func dismissOverHidden() throws {
    let app = try TestApp(
      .home, (.list, "go", [.present(.dialog)]), (.dialog, "go", [.select(.alerts)]),
      (.dialog, "more", [.dismiss, .push(.detail)]))
    try app.emit(.list, "go")
    try app.emit(.dialog, "go")
    try app.emit(.dialog, "more")
    #expect(app.picture == "home(list | *alerts > detail | -)")
    #expect(app.journal.isEmpty)
  }

  @Test("From a modal, what it selects below can't be pushed on: that the modal covers it is said")
  func pushBeneathModal() throws {
    let app = try TestApp(
      .home, (.list, "go", [.present(.dialog)]),
      (.dialog, "go", [.select(.alerts), .push(.detail)]))
    try app.emit(.list, "go")
    try app.emit(.dialog, "go")
    #expect(app.picture == "home(*list | - | -) ! dialog")
    #expect(app.journal == ["not-current"])
    let refusal = app.state.journal.events.lazy.compactMap { event -> Rejection? in
      if case .refused(_, _, let refusal) = event { refusal } else { nil }
    }.first
    #expect(refusal == .coveredByDialog)
    #expect(refusal?.description.contains("a dialog covers where it would happen") == true)
  }

  @Test("From beneath or from a hidden tab it is refused")
  func covered() throws {
    let app = try TestApp(
      .home, (.list, "go", [.present(.dialog)]), (.list, "more", [.select(.settings)]),
      (.dialog, "go", [.select(.alerts), .dismiss]), (.dialog, "more", [.select(.alerts)]),
      (.dialog, "other", [.back]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "home(*list | - | -) ! dialog")
    try app.emit(.dialog, "more")
    try app.emit(.dialog, "other")
    try app.emit(.list, "more")
    #expect(app.picture == "home(list | *alerts | -)")
    #expect(app.journal == ["not-current", "not-current"])
  }

  @Test("With cut, what stands on the emitter is dismissed before another tab is selected")
  func cut() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.detail)]), (.detail, "go", [.present(.dialog)]),
      (.list, "more", [.select(.alerts, ifCovered: .cut)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "home(list | *alerts | -)")
  }

  @Test("With cut, a tab that can't be made leaves everything as it was")
  func cutUnavailable() throws {
    let app = try TestApp(
      .fragile, (.list, "go", [.push(.detail)]),
      (.list, "more", [.select(.broken, ifCovered: .cut)]),
      (.list, "other", [.select(.alerts, ifCovered: .cut)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    try app.emit(.list, "other")
    #expect(app.picture == "fragile(*list > detail | -)")
    #expect(app.journal == ["unavailable", "no-such-tab"])
  }

  @Test("With over, the tab is looked for from the current instance")
  func over() throws {
    let app = try TestApp(
      .home, tag: "outer", (.list, "go", [.push(.pair)]),
      (.list, "more", [.select(.dialog, ifCovered: .over)]),
      (.alerts, "go", [.select(.list)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "home#outer(*list#outer > pair(detail | *dialog) | - | -)")
  }

  @Test("From the background, the tab is looked for from the current instance")
  func background() throws {
    let app = try TestApp(
      .watched, (.list, "go", [.push(.pair)]), (.monitor, "go", [.select(.dialog)]))
    try app.emit(.list, "go")
    try app.emit(.monitor, "go")
    #expect(app.picture == "watched(*list > pair(detail | *dialog))")
  }

  @Test("A tab that can't be made is refused, and nothing changes")
  func unavailable() throws {
    let app = try TestApp(.fragile, (.list, "go", [.select(.broken)]))
    try app.emit(.list, "go")
    #expect(app.picture == "fragile(*list | -)")
    #expect(app.journal == ["unavailable"])
  }

  @Test("An instance made in a tab has its container's presenter")
  func presenter() throws {
    let app = try TestApp(
      .login, (.login, "go", [.push(.home)]), (.list, "go", [.select(.alerts)]),
      (.alerts, "go", [.tell(.presenter)]))
    try app.emit(.login, "go")
    try app.emit(.list, "go")
    try app.emit(.alerts, "go=x")
    #expect(try app.heard(.login) == ["x"])
  }
}
