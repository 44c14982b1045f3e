import AppCore
import Testing

@testable import AppCheck
@testable import Navigation

@Suite("GraphBuilder: routes")
struct RouteCheckTests {
  /// A list that opens a detail, with these routes after it.
  static func text(_ routes: String...) -> String {
    """
    appcore: 1
    name: test
    plugins: [Shop]
    start: home
    nodes:
      home: { tabs: [list, quiet] }
      list: { feature: Shop.List }
      quiet: { feature: Shop.Quiet }
      detail: { feature: Shop.Detail, with: { id: 1, title: One } }
    routes:

    """ + routes.map { "  - { \($0) }" }.joined(separator: "\n") + "\n"
  }

  static let selected = "from: list, action: selected, push: detail"
  static let closed = "from: detail, action: closed, do: back"

  @Test("The manifest that these tests change has no problem")
  func right() {
    BuildReport.expect(in: Self.text(Self.selected, Self.closed))
  }

  @Test("A misspelt delegate action is one problem, also under 'any'")
  func unknownDelegate() {
    let report = BuildReport.expect(
      "unknown-delegate", in: Self.text(Self.selected, "from: detail, action: §closd, do: back"))
    #expect(report.messages[0].contains("did you mean 'closed'?"))
    BuildReport.expect(
      "unknown-delegate", in: Self.text(Self.selected, "from: any, action: §closd, do: back"))
    BuildReport.expect(
      "unknown-delegate",
      in: Self.text(Self.selected, "from: [list, detail], action: [closed, §xyz], do: back"))
  }

  @Test("A delegate action without a route is reported at each node, with the remedy")
  func unrouted() {
    let text = Self.text(Self.selected)
      .replacing("detail: { feature: Shop", with: "detail: { feature: §Shop")
    let report = BuildReport.expect("unrouted-delegate", in: text)
    #expect(report.messages[0].contains("do: ignore"))
    BuildReport.expect(in: Self.text(Self.selected, "from: any, action: closed, do: ignore"))
  }

  @Test("A node in a list that has none of the actions is idle; so is a container")
  func idleSource() {
    BuildReport.expect(
      "idle-source",
      in: Self.text(Self.selected, "from: [detail, §quiet], action: closed, do: back"))
    BuildReport.expect(
      "idle-source", "unknown-delegate",
      in: Self.text(
        Self.selected, Self.closed, "from: [§home, list], action: §nothing, do: ignore"))
  }

  @Test("A route that names the node wins over one for any, which may then never apply")
  func namedWins() throws {
    let report = BuildReport.expect(
      "idle-route",
      in: Self.text(Self.selected, "from: §any, action: closed, do: ignore", Self.closed))
    let graph = try #require(report.result.graph)
    #expect(graph.route(from: 3, action: "closed")?.verbs.map(\.word) == ["back"])
  }

  @Test("A select of a node that is not a tab can never apply")
  func selectNoTab() {
    BuildReport.expect(
      "never-applies", in: Self.text(Self.selected, "from: detail, action: closed, select: §detail")
    )
  }

  @Test("An inclusive popTo of the root can never apply")
  func popRoot() {
    BuildReport.expect(
      "never-applies",
      in: Self.text(Self.selected, "from: detail, action: closed, §popTo: root, inclusive: true"))
  }

  @Test("A background node has nothing to leave, unless it entered first")
  func backgroundLeaves() {
    let text = { (action: String) in
      Self.text(Self.selected, "from: detail, action: closed, \(action)")
        .replacing("quiet] }", with: "quiet], background: [detail] }")
        .replacing("push: detail", with: "present: quiet")
    }
    for verb in ["do: §back", "do: §dismiss", "§popTo: list", "do: [§back, { push: list }]"] {
      BuildReport.expect("never-applies", in: text(verb))
    }
    BuildReport.expect(in: text("do: [{ select: list }, { popTo: root }]"))
    BuildReport.expect(in: text("reset: home"))
  }

  @Test("A notification for a node needs an input of its feature")
  func unknownInput() {
    let report = BuildReport.expect(
      "unknown-input", "unknown-input",
      in: Self.text(
        Self.selected,
        "from: detail, action: closed, do: [{ notify: list, as: §renamd, with: { to: x } }, "
          + "{ §notify: quiet }]"))
    #expect(report.messages[0].contains("did you mean 'renamed'?"))
  }

  @Test("A container takes no notification")
  func notifyContainer() {
    BuildReport.expect(
      "no-receiver",
      in: Self.text(Self.selected, "from: detail, action: closed, notify: §home, as: renamed"))
  }

  @Test("A notification's payload is checked against the input")
  func notifyPayload() {
    let route = { (with: String) in
      Self.text(Self.selected, "from: detail, action: closed, §notify: list, as: renamed\(with)")
    }
    BuildReport.expect("missing-field", in: route(""))
    BuildReport.expect(
      "missing-field",
      in: Self.text(Self.selected, "from: detail, action: closed, §notify: quiet, as: asked"))
    BuildReport.expect(
      in: Self.text(
        Self.selected, "from: detail, action: closed, notify: quiet, as: asked, with: true"))
    BuildReport.expect(
      "type-mismatch",
      in: Self.text(
        Self.selected, "from: detail, action: closed, notify: quiet, as: asked, with: §maybe"))
  }

  @Test("A presenter is told only what a node that can be one takes")
  func presenterInput() {
    BuildReport.expect(
      in: Self.text(
        Self.selected,
        "from: detail, action: closed, notify: presenter, as: renamed, with: { to: x }"))
    BuildReport.expect(
      "no-receiver",
      in: Self.text(
        Self.selected, "from: detail, action: closed, notify: presenter, as: §asked, with: true"))
    BuildReport.expect(
      "no-receiver",
      in: Self.text(
        "from: list, action: selected, replace: detail",
        "from: detail, action: closed, notify: presenter, as: §renamed, with: { to: x }"))
    // What is in front after another verb can be anything.
    BuildReport.expect(
      in: Self.text(
        "from: list, action: selected, do: [{ select: quiet }, { push: detail }]",
        "from: detail, action: closed, notify: presenter, as: asked, with: true"))
  }

  @Test("Opener and current are told what some node takes")
  func currentInput() {
    BuildReport.expect(
      "no-receiver", "no-receiver",
      in: Self.text(
        Self.selected,
        "from: detail, action: closed, do: [{ notify: current, as: §nothing }, "
          + "{ notify: opener, as: §nothing }, { notify: current, as: refreshed }]"))
  }
}
