import AppCore
import Testing

@testable import Navigation

@MainActor
@Suite("Router: replace")
struct ReplaceTests {
  @Test("A replacement takes the emitter's place and inherits its presenter")
  func fromFront() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.detail, "go", [.replace(.alerts)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    #expect(app.picture == "list > alerts")
    #expect(try app.presenter(.alerts) == .list)
  }

  @Test("The root of the app, of a tab and of a modal can be replaced")
  func roots() throws {
    let app = try TestApp(
      .login, (.login, "go", [.replace(.home)]), (.list, "go", [.replace(.detail)]),
      (.detail, "go", [.present(.dialog)]), (.dialog, "go", [.replace(.settings)]))
    try app.emit(.login, "go")
    #expect(app.picture == "home(*list | - | -)")
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.dialog, "go")
    #expect(app.picture == "home(*detail | - | -) ! settings")
    #expect(try app.presenter(.settings) == .detail)
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  @Test("The replacement of a tab's root is found by the tab's name")
  func replacedTabRoot() throws {
    let app = try TestApp(
      .home, (.list, "go", [.replace(.detail)]), (.detail, "go", [.select(.alerts)]),
      (.alerts, "go", [.select(.list)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.alerts, "go")
    #expect(app.picture == "home(*detail | alerts | -)")
  }

  @Test("A replacement from beneath or from a hidden tab is refused")
  func covered() throws {
    let app = try TestApp(
      .home, (.list, "go", [.present(.dialog)]), (.list, "more", [.replace(.detail)]),
      (.dialog, "go", [.back]), (.list, "other", [.select(.alerts)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    try app.emit(.dialog, "go")
    try app.emit(.list, "other")
    try app.emit(.list, "more")
    #expect(app.picture == "home(list | *alerts | -)")
    #expect(app.journal == ["not-current", "not-current"])
  }

  @Test("With cut, what stands on the emitter is dismissed before it is replaced")
  func cut() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.detail, "go", [.present(.dialog)]),
      (.list, "more", [.replace(.alerts, ifCovered: .cut)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "alerts")
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  @Test("With over, the current instance is replaced, and its presenter is inherited")
  func over() throws {
    let app = try TestApp(
      .login, (.login, "go", [.push(.list)]), (.list, "go", [.push(.detail)]),
      (.login, "more", [.replace(.alerts, ifCovered: .over)]))
    try app.emit(.login, "go")
    try app.emit(.list, "go")
    try app.emit(.login, "more")
    #expect(app.picture == "login > list > alerts")
    #expect(try app.presenter(.alerts) == .list)
  }

  @Test("A replacement from the background replaces the current instance")
  func background() throws {
    let app = try TestApp(.watched, (.monitor, "go", [.replace(.detail)]))
    try app.emit(.monitor, "go")
    #expect(app.picture == "watched(*detail)")
  }

  @Test("A replacement that would pass maxDepth is refused, one of the same node is not")
  func maxDepth() throws {
    let app = try TestApp(
      .limited, (.limited, "go", [.push(.limited)]), (.limited, "more", [.push(.detail)]),
      (.detail, "go", [.replace(.limited)]), (.limited, "other", [.replace(.limited, "b")]))
    try app.emit(.limited, "go")
    try app.emit(.limited, "more")
    try app.emit(.detail, "go")
    #expect(app.picture == "limited > limited > detail")
    #expect(app.journal == ["max-depth"])
    app.store.send(.navigate(.back))
    try app.emit(.limited, "other")
    #expect(app.picture == "limited > limited#b")
  }

  @Test("maxDepth does not count what a cut dismisses before a replacement")
  func maxDepthAfterCut() throws {
    let app = try TestApp(
      .detail, (.detail, "go", [.push(.limited)]), (.limited, "go", [.push(.limited)]),
      (.detail, "more", [.replace(.limited, "b", ifCovered: .cut)]))
    try app.emit(.detail, "go")
    try app.emit(.limited, "go")
    try app.emit(.detail, "more")
    #expect(app.picture == "limited#b")
    #expect(app.journal.isEmpty)
  }

  @Test("A replacement that can't be made is refused, and nothing changes")
  func unavailable() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.list, "more", [.replace(.broken, ifCovered: .cut)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list > detail")
    #expect(app.journal == ["unavailable"])
  }
}
