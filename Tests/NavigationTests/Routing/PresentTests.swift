import AppCore
import Testing

@testable import Navigation

@MainActor
@Suite("Router: present")
struct PresentTests {
  @Test("A modal covers its emitter")
  func fromFront() throws {
    let app = try TestApp(.home, (.list, "go", [.present(.dialog)]))
    try app.emit(.list, "go")
    #expect(app.picture == "home(*list | - | -) ! dialog")
    #expect(try app.presenter(.dialog) == .list)
    let layer = try #require(
      app.state.navigation.topLayer.flatMap { app.state.navigation.layers[$0] })
    #expect(try layer.over == app.last(.list))
  }

  @Test("A modal may be a container, and lie over a modal")
  func overModal() throws {
    let app = try TestApp(
      .list, (.list, "go", [.present(.pair)]), (.detail, "go", [.present(.alerts)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    #expect(app.picture == "list ! pair(*detail | -) ! alerts")
  }

  @Test("A modal from beneath or from a hidden tab is refused")
  func covered() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.detail)]), (.list, "more", [.present(.dialog)]),
      (.detail, "go", [.select(.alerts)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "home(*list > detail | - | -)")
    try app.emit(.detail, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "home(list > detail | *alerts | -)")
    #expect(app.journal == ["not-current", "not-current"])
  }

  @Test("With cut, the modal covers the emitter, and nothing else does")
  func cut() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.detail)]), (.detail, "go", [.select(.alerts)]),
      (.alerts, "go", [.present(.settings)]), (.list, "more", [.present(.dialog, ifCovered: .cut)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.alerts, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "home(*list | alerts | -) ! dialog")
    let layer = try #require(
      app.state.navigation.topLayer.flatMap { app.state.navigation.layers[$0] })
    #expect(try layer.over == app.last(.list))
  }

  @Test("With over, the modal covers the current instance; its presenter is the emitter")
  func over() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]),
      (.list, "more", [.present(.dialog, ifCovered: .over)]),
      (.dialog, "go", [.tell(.presenter), .tell(.opener)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list > detail ! dialog")
    #expect(try app.presenter(.dialog) == .list)
    try app.emit(.dialog, "go=x")
    #expect(try app.heard(.list) == ["x"])
    #expect(try app.heard(.detail) == ["x"])
  }

  @Test("A modal from the background covers the current instance")
  func background() throws {
    let app = try TestApp(
      .watched, (.list, "go", [.push(.detail)]), (.monitor, "go", [.present(.dialog)]))
    try app.emit(.list, "go")
    try app.emit(.monitor, "go")
    #expect(app.picture == "watched(*list > detail) ! dialog")
    #expect(try app.presenter(.dialog) == .monitor)
  }

  @Test("A modal that can't be made is refused, and nothing changes")
  func unavailable() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.list, "more", [.present(.broken, ifCovered: .cut)]),
      (.detail, "go", [.present(.broken)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    try app.emit(.detail, "go")
    #expect(app.picture == "list > detail")
    #expect(app.journal == ["unavailable", "unavailable"])
  }
}
