import AppCore
import Testing

@testable import Navigation

@MainActor
@Suite("Router: back and dismiss")
struct LeavingTests {
  @Test("Back removes the emitter where one stands beneath it")
  func back() throws {
    let app = try TestApp(.list, (.list, "go", [.push(.detail)]), (.detail, "go", [.back]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    #expect(app.picture == "list")
  }

  @Test("Back at a tab's root removes the container where one stands beneath it")
  func backFromTab() throws {
    let app = try TestApp(
      .login, (.login, "go", [.push(.nest)]), (.detail, "go", [.back]))
    try app.emit(.login, "go")
    try app.emit(.detail, "go")
    #expect(app.picture == "login")
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  @Test("Back at a modal's base closes the modal, through its tabs too")
  func backFromModal() throws {
    let app = try TestApp(.list, (.list, "go", [.present(.pair)]), (.detail, "go", [.back]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    #expect(app.picture == "list")
  }

  @Test("Back at the root is refused, in a tab as well")
  func backAtRoot() throws {
    let app = try TestApp(.nest, (.detail, "go", [.back]))
    try app.emit(.detail, "go")
    #expect(app.picture == "nest(*pair(*detail | -) | -)")
    #expect(app.journal == ["at-root"])
  }

  @Test("Back from beneath removes the emitter and what stands on it")
  func backCovered() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.detail, "go", [.push(.alerts)]),
      (.alerts, "go", [.present(.dialog)]), (.dialog, "go", [.push(.settings)]),
      (.detail, "more", [.back]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.alerts, "go")
    try app.emit(.dialog, "go")
    try app.emit(.detail, "more")
    #expect(app.picture == "list")
    #expect(app.journal.isEmpty)
  }

  @Test("Back from a hidden tab selects no tab")
  func backHidden() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.detail)]), (.detail, "go", [.select(.alerts)]),
      (.detail, "more", [.back]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.detail, "more")
    #expect(app.picture == "home(list | *alerts | -)")
  }

  @Test("Back from a hidden tab's root removes the container, and the current tab with it")
  func backHiddenRoot() throws {
    let app = try TestApp(
      .login, (.login, "go", [.push(.home)]), (.list, "go", [.select(.alerts)]),
      (.alerts, "go", [.present(.dialog)]), (.list, "more", [.back]))
    try app.emit(.login, "go")
    try app.emit(.list, "go")
    try app.emit(.alerts, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "login")
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  @Test("Dismiss closes the whole layer and all layers above")
  func dismiss() throws {
    let app = try TestApp(
      .list, (.list, "go", [.present(.dialog)]), (.dialog, "go", [.push(.detail)]),
      (.detail, "go", [.present(.alerts)]), (.detail, "more", [.dismiss]),
      (.alerts, "go", [.dismiss]))
    try app.emit(.list, "go")
    try app.emit(.dialog, "go")
    try app.emit(.detail, "go")
    try app.emit(.alerts, "go")
    #expect(app.picture == "list ! dialog > detail")
    try app.emit(.detail, "go")
    try app.emit(.detail, "more")
    #expect(app.picture == "list")
  }

  @Test("Dismiss from a hidden tab of a modal closes the modal")
  func dismissHidden() throws {
    let app = try TestApp(
      .list, (.list, "go", [.present(.nest)]), (.detail, "go", [.select(.login)]),
      (.detail, "more", [.dismiss]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.detail, "more")
    #expect(app.picture == "list")
  }

  @Test("Dismiss in the root layer is refused, also under a modal")
  func dismissAtRoot() throws {
    let app = try TestApp(
      .home, (.list, "go", [.present(.dialog)]), (.list, "more", [.dismiss]))
    try app.emit(.list, "more")
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "home(*list | - | -) ! dialog")
    #expect(app.journal == ["not-in-modal", "not-in-modal"])
  }

  @Test("An instance without a place can't leave")
  func background() throws {
    let app = try TestApp(
      .watched, (.list, "go", [.present(.dialog)]), (.monitor, "go", [.back]),
      (.monitor, "more", [.dismiss]), (.monitor, "other", [.popTo(.monitor)]))
    try app.emit(.list, "go")
    try app.emit(.monitor, "go more other")
    #expect(app.picture == "watched(*list) ! dialog")
    #expect(app.journal == ["at-root", "not-in-modal", "not-on-path"])
  }
}
