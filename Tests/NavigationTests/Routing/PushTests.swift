import AppCore
internal import Diagnostics
import Testing

@testable import Navigation

@MainActor
@Suite("Router: push")
struct PushTests {
  @Test("A push from the front goes on top of the emitter's stack")
  func fromFront() throws {
    let app = try TestApp(.list, (.list, "go", [.push(.detail)]))
    try app.emit(.list, "go")
    #expect(app.picture == "list > detail")
    #expect(app.journal.isEmpty)
    #expect(try app.presenter(.detail) == .list)
  }

  @Test("A push in a tab goes on the tab's own stack")
  func inTab() throws {
    let app = try TestApp(.home, (.list, "go", [.push(.detail)]))
    try app.emit(.list, "go")
    #expect(app.picture == "home(*list > detail | - | -)")
  }

  @Test("A push in a modal goes on the modal's own stack")
  func inModal() throws {
    let app = try TestApp(
      .list, (.list, "go", [.present(.dialog)]), (.dialog, "go", [.push(.detail)]))
    try app.emit(.list, "go")
    try app.emit(.dialog, "go")
    #expect(app.picture == "list ! dialog > detail")
  }

  @Test("A container that is pushed shows its first tab, and no other is made")
  func container() throws {
    let app = try TestApp(.login, tag: "x", (.login, "go", [.push(.nest, "t")]))
    try app.emit(.login, "go")
    #expect(app.picture == "login#x > nest#t(*pair#t(*detail#t | -) | -)")
    #expect(try app.presenter(.nest) == .login)
    #expect(try app.presenter(.pair) == .login)
    #expect(try app.presenter(.detail) == .login)
  }

  @Test("A push from beneath is refused")
  func covered() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.list, "more", [.push(.alerts)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list > detail")
    #expect(app.journal == ["not-current"])
  }

  @Test("A push from beneath a modal is refused")
  func coveredByModal() throws {
    let app = try TestApp(
      .list, (.list, "go", [.present(.dialog)]), (.list, "more", [.push(.alerts)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list ! dialog")
    #expect(app.journal == ["not-current"])
  }

  @Test("A push from a tab that is not selected is refused")
  func hidden() throws {
    let app = try TestApp(
      .home, (.list, "go", [.select(.alerts)]), (.list, "more", [.push(.detail)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "home(list | *alerts | -)")
    #expect(app.journal == ["not-current"])
  }

  @Test("The second push of a double tap is refused")
  func doubleTap() throws {
    let app = try TestApp(.list, (.list, "go", [.push(.detail)]))
    try app.emit(.list, "go go")
    #expect(app.picture == "list > detail")
    #expect(app.journal == ["not-current"])
  }

  @Test("With cut, what stands on the emitter is dismissed before the push")
  func cut() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.detail, "go", [.present(.dialog)]),
      (.list, "more", [.push(.alerts, ifCovered: .cut)]))
    try app.emit(.list, "go")
    try app.emit(.detail, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list > alerts")
    #expect(app.journal.isEmpty)
  }

  @Test("With cut, the tabs that lead to a hidden emitter are selected")
  func cutSelectsTabs() throws {
    let app = try TestApp(
      .nest, (.detail, "go", [.select(.dialog)]), (.dialog, "go", [.select(.login)]),
      (.login, "go", [.present(.alerts)]), (.detail, "more", [.push(.settings, ifCovered: .cut)]))
    try app.emit(.detail, "go")
    try app.emit(.dialog, "go")
    try app.emit(.login, "go")
    #expect(app.picture == "nest(pair(detail | *dialog) | *login) ! alerts")
    try app.emit(.detail, "more")
    #expect(app.picture == "nest(*pair(*detail > settings | dialog) | login)")
    #expect(app.journal.isEmpty)
  }

  @Test("With over, the push goes on the current instance, and the emitter is its presenter")
  func over() throws {
    let app = try TestApp(
      .list, (.list, "go", [.present(.dialog)]), (.list, "more", [.push(.alerts, ifCovered: .over)])
    )
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list ! dialog > alerts")
    #expect(try app.presenter(.alerts) == .list)
  }

  @Test("A push from the background acts on the current instance", arguments: policies)
  func background(ifCovered: IfCovered) throws {
    let app = try TestApp(
      .watched, (.list, "go", [.present(.dialog)]),
      (.monitor, "go", [.push(.detail, ifCovered: ifCovered)]))
    try app.emit(.list, "go")
    try app.emit(.monitor, "go")
    #expect(app.picture == "watched(*list) ! dialog > detail")
    #expect(try app.presenter(.detail) == .monitor)
  }

  nonisolated static let policies: [IfCovered] = [.refuse, .cut, .over]

  @Test("A push that would pass maxDepth is refused")
  func maxDepth() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.limited)]), (.limited, "go", [.push(.limited)]))
    try app.emit(.list, "go")
    try app.emit(.limited, "go")
    try app.emit(.limited, "go")
    #expect(app.picture == "list > limited > limited")
    #expect(app.journal == ["max-depth"])
  }

  @Test("maxDepth counts in one stack only")
  func maxDepthPerStack() throws {
    let app = try TestApp(
      .limited, (.limited, "go", [.push(.limited)]), (.limited, "more", [.present(.limited)]))
    try app.emit(.limited, "go")
    try app.emit(.limited, "more")
    try app.emit(.limited, "go")
    #expect(app.picture == "limited > limited ! limited > limited")
    #expect(app.journal.isEmpty)
  }

  @Test("maxDepth does not count what a cut dismisses")
  func maxDepthAfterCut() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.limited)]), (.limited, "go", [.push(.limited)]),
      (.list, "more", [.push(.limited, "new", ifCovered: .cut)]))
    try app.emit(.list, "go")
    try app.emit(.limited, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list > limited#new")
    #expect(app.journal.isEmpty)
  }

  @Test("maxDepth counts again what has gone")
  func maxDepthAfterBack() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.limited)]), (.limited, "go", [.push(.limited)]),
      (.limited, "more", [.back]))
    try app.emit(.list, "go")
    for _ in 0..<3 {
      try app.emit(.limited, "go")
      try app.emit(.limited, "more")
    }
    #expect(app.picture == "list > limited")
    #expect(app.journal.isEmpty)
  }

  @Test("A push of what can't be made is refused, and nothing changes")
  func unavailable() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]), (.list, "more", [.push(.broken, ifCovered: .cut)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list > detail")
    guard case .refused(_, "more", let refusal)? = app.state.journal.events.last else {
      return #expect(Bool(false), "\(app.journal)")
    }
    #expect(refusal == .unavailable(node: "broken", reason: "it was told to refuse"))
  }

  @Test("A singleTop push of the top with equal arguments is accepted and changes nothing")
  func singleTopEqual() throws {
    let app = try TestApp(.list, (.list, "go", [.push(.list, singleTop: true)]))
    let before = try app.last(.list)
    try app.emit(.list, "go")
    #expect(app.picture == "list")
    #expect(try app.last(.list) == before)
    #expect(app.journal.isEmpty)
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

  @Test("A singleTop push of the top with other arguments replaces it, with its presenter")
  func singleTopOther() throws {
    let app = try TestApp(
      .login, (.login, "go", [.push(.list)]), (.list, "go", [.push(.list, "b", singleTop: true)]))
    try app.emit(.login, "go")
    try app.emit(.list, "go")
    #expect(app.picture == "login > list#b")
    #expect(try app.presenter(.list) == .login)
  }

  @Test("A singleTop push of another node is a push")
  func singleTopAnother() throws {
    let app = try TestApp(.list, (.list, "go", [.push(.detail, singleTop: true)]))
    try app.emit(.list, "go")
    #expect(app.picture == "list > detail")
  }

  @Test("A singleTop push from beneath is refused even of an equal top")
  func singleTopCovered() throws {
    let app = try TestApp(
      .list, (.list, "go", [.present(.dialog)]), (.list, "more", [.push(.list, singleTop: true)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list ! dialog")
    #expect(app.journal == ["not-current"])
  }

  @Test("A singleTop push with cut dismisses what stands on an equal top")
  func singleTopCut() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]),
      (.list, "more", [.push(.list, singleTop: true, ifCovered: .cut)]),
      (.list, "other", [.push(.list, "b", singleTop: true, ifCovered: .cut)]))
    let before = try app.last(.list)
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list")
    #expect(try app.last(.list) == before)
    try app.emit(.list, "go")
    try app.emit(.list, "other")
    #expect(app.picture == "list#b")
  }

  @Test("A singleTop push over the current instance is recognised by what is current")
  func singleTopOver() throws {
    let app = try TestApp(
      .list, (.list, "go", [.push(.detail)]),
      (.list, "more", [.push(.detail, singleTop: true, ifCovered: .over)]))
    try app.emit(.list, "go")
    try app.emit(.list, "more")
    #expect(app.picture == "list > detail")
    #expect(app.journal.isEmpty)
  }

  @Test("A singleTop push replaces a node that stands as often as maxDepth allows")
  func singleTopAtMaxDepth() throws {
    let app = try TestApp(
      .limited, (.limited, "go", [.push(.limited)]),
      (.limited, "more", [.push(.limited, "b", singleTop: true)]))
    try app.emit(.limited, "go")
    try app.emit(.limited, "more")
    #expect(app.picture == "limited > limited#b")
    #expect(app.journal.isEmpty)
  }
}
