import AppCore
import Testing

@testable import Navigation

@MainActor
@Suite("Router: what a person asks for")
struct ShellNavigationTests {
  @Test("Back, dismiss and tab act on the current instance")
  func anchoredAtCurrent() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.detail)]), (.alerts, "go", [.present(.dialog)]),
      (.dialog, "go", [.push(.settings)]))
    try app.emit(.list, "go")
    app.store.send(.navigate(.select(node: Place.alerts.node)))
    #expect(app.picture == "home(list > detail | *alerts | -)")
    try app.emit(.alerts, "go")
    try app.emit(.dialog, "go")
    app.store.send(.navigate(.back))
    #expect(app.picture == "home(list > detail | *alerts | -) ! dialog")
    app.store.send(.navigate(.dismiss))
    app.store.send(.navigate(.select(node: Place.list.node)))
    app.store.send(.navigate(.back))
    #expect(app.picture == "home(*list | alerts | -)")
    #expect(app.journal.isEmpty)
  }

  @Test("An impossible step is refused, and changes nothing")
  func refused() throws {
    let app = try TestApp(.fragile)
    app.store.send(.navigate(.back))
    app.store.send(.navigate(.dismiss))
    app.store.send(.navigate(.select(node: Place.alerts.node)))
    app.store.send(.navigate(.select(node: Place.broken.node)))
    #expect(app.picture == "fragile(*list | -)")
    #expect(app.journal == ["at-root", "not-in-modal", "no-such-tab", "unavailable"])
  }
}
