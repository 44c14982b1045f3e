import AppCore
import Testing

@testable import Navigation

@MainActor
@Suite("Router: popTo")
struct PopToTests {
  @Test("All above the nearest instance of the node goes")
  func nearest() throws {
    let app = try TestApp(
      .list, tag: "a", (.list, "go", [.push(.detail)]), (.detail, "go", [.push(.list, "b")]),
      (.list, "more", [.push(.alerts)]), (.alerts, "go", [.push(.settings)]),
      (.settings, "go", [.popTo(.list)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.list, "more")
    try app.emit(.alerts, "go")
    try app.emit(.settings, "go")
    #expect(app.picture == "list#a > detail > list#b")
  }

  @Test("Layers that are crossed go")
  func crossesLayers() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.detail, "go", [.present(.dialog)]),
      (.dialog, "go", [.push(.alerts)]), (.alerts, "go", [.present(.settings)]),
      (.settings, "go", [.popTo(.list)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.dialog, "go")
    try app.emit(.alerts, "go")
    try app.emit(.settings, "go")
    #expect(app.picture == "list")
  }

  @Test("A container on the way outward is a target; what its tabs hold stays")
  func container() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.detail)]), (.detail, "go", [.present(.dialog)]),
      (.dialog, "go", [.popTo(.home)]), (.detail, "more", [.popTo(.home)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.dialog, "go")
    #expect(app.picture == "home(*list > detail | - | -)")
    try app.emit(.detail, "more")
    #expect(app.picture == "home(*list > detail | - | -)")
    #expect(app.journal.isEmpty)
  }

  @Test("An inclusive popTo of a container removes it with all its tabs")
  func inclusiveContainer() throws {
    let app = try TestApp(
      .login, (.login, "go", [.push(.pair)]), (.detail, "go", [.select(.dialog)]),
      (.dialog, "go", [.popTo(.pair, inclusive: true)]))
    try app.emit(.login, "go")
    try app.emit(.detail, "go")
    try app.emit(.dialog, "go")
    #expect(app.picture == "login")
    #expect(Invariants.broken(in: app.state, of: app.graph) == [])
  }

  @Test("A node that is current already is accepted")
  func alreadyThere() throws {
    let app = try TestApp(.list, (.list, "go", [.popTo(.list)]), (.list, "more", [.popToRoot()]))
    let before = try app.last(.list)
    try app.emit(.list, "go more")
    #expect(try app.last(.list) == before)
    #expect(app.journal.isEmpty)
  }

  @Test("From beneath, what stands on the target goes, and nothing that stands under it")
  func covered() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.detail, "go", [.push(.alerts)]),
      (.alerts, "go", [.present(.dialog)]), (.detail, "more", [.popTo(.detail)]),
      (.detail, "other", [.popTo(.alerts)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.alerts, "go")
    try app.emit(.detail, "other")
    #expect(app.journal == ["not-on-path"])
    try app.emit(.detail, "more")
    #expect(app.picture == "list > detail")
  }

  @Test("From a hidden tab no tab is selected")
  func hidden() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.detail)]), (.detail, "go", [.select(.alerts)]),
      (.detail, "more", [.popTo(.list)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.detail, "more")
    #expect(app.picture == "home(list | *alerts | -)")
  }

  @Test("'root' is the root of the emitter's own stack")
  func root() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.detail)]), (.detail, "go", [.push(.alerts)]),
      (.alerts, "go", [.present(.dialog)]), (.dialog, "go", [.push(.settings)]),
      (.settings, "go", [.popToRoot()]), (.alerts, "more", [.popToRoot()]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.alerts, "go")
    try app.emit(.dialog, "go")
    try app.emit(.settings, "go")
    #expect(app.picture == "home(*list > detail > alerts | - | -) ! dialog")
    try app.emit(.alerts, "more")
    #expect(app.picture == "home(*list | - | -)")
  }

  @Test("A node that is not on the way is refused, also in another tab")
  func notOnPath() throws {
    let app = try TestApp(
      .home, (.list, "go", [.select(.alerts)]), (.alerts, "go", [.popTo(.list)]))
    try app.emit(.list, "go")
    try app.emit(.alerts, "go")
    #expect(app.journal == ["not-on-path"])
  }

  @Test("An inclusive popTo removes its target too")
  func inclusive() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.detail, "go", [.push(.alerts)]),
      (.alerts, "go", [.popTo(.detail, inclusive: true)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.alerts, "go")
    #expect(app.picture == "list")
  }

  @Test("An inclusive popTo that would empty a stack is refused, and nothing changes")
  func wouldEmpty() throws {
    let app = try TestApp(
      .list, (.list, "go", [.present(.dialog)]), (.dialog, "go", [.push(.detail)]),
      (.detail, "go", [.popTo(.dialog, inclusive: true)]),
      (.detail, "more", [.popTo(.list, inclusive: true)]),
      (.detail, "other", [.popToRoot(inclusive: true)]))
    try app.emit(.list, "go")
    try app.emit(.dialog, "go")
    try app.emit(.detail, "go more other")
    #expect(app.picture == "list ! dialog > detail")
    #expect(app.journal == ["would-empty", "would-empty", "would-empty"])
  }

  @Test("A dialog over the target closes, also where the target itself or its root is asked for")
  func underDialog() throws {
    for verb in [RouteVerb.popTo(.detail), .popToRoot(), .popTo(.list)] {
      let app = try TestApp(
        .list, (.list, "go", [.push(.detail)]), (.detail, "go", [.present(.dialog)]),
        (.dialog, "go", [.present(.alerts)]), (.detail, "more", [verb]))
      try app.emit(.list, "go")
      try app.emit(.detail, "go")
      try app.emit(.dialog, "go")
      try app.emit(.detail, "more")
      if case .popTo(.node(Place.detail.node), _) = verb {
        #expect(app.picture == "list > detail")
      } else {
        #expect(app.picture == "list")
      }
      #expect(app.journal.isEmpty)
      #expect(Invariants.broken(in: app.state, of: app.graph) == [])
    }
  }

  @Test(
    "A dialog over what a container shows closes with a popTo of the container, not over another tab"
  )
  func underDialogInTabs() throws {
    let app = try TestApp(
      .home, (.list, "go", [.present(.dialog)]), (.list, "more", [.popTo(.home)]),
      (.list, "other", [.select(.alerts)]), (.alerts, "go", [.present(.dialog)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "home(*list | - | -)")
    try app.emit(.list, "other")
    try app.emit(.alerts, "go")
    let before = app.picture
    // The list is hidden, and what is asked for is there already.
    let rooted = try TestApp(
      .home, (.list, "go", [.select(.alerts)]), (.alerts, "go", [.present(.dialog)]),
      (.list, "more", [.popToRoot()]))
    try rooted.emit(.list, "go")
    try rooted.emit(.alerts, "go")
    try rooted.emit(.list, "more")
    #expect(rooted.picture == before)
  }
}
