import Testing

@testable import AppCheck
@testable import Shell
@testable import Support

@Suite struct GraphDrawingTests {
  private static let app = GraphDrawing(
    nodes: [
      .init("home", title: "Packages", tabs: ["list", "settings"], background: ["watch"]),
      .init("list", feature: "Packages.List", title: "All"),
      .init("settings", feature: "Packages.Settings"),
      .init("watch", feature: "Packages.Watch"),
      .init("detail", feature: "Packages.Detail", title: "Package 詳細", maxDepth: 20),
      .init("orphan", feature: "Packages.Orphan"),
      .init("confirm", feature: "Dialogs.Confirm", title: "Confirm"),
      .init("linked", feature: "Dialogs.Notice"),
      .init("clock", feature: "Dialogs.Clock"),
    ],
    routes: [
      .init(from: "list", action: "selected", "push", "detail"),
      .init(from: "list", action: "refreshed", "replace", "list"),
      .init(from: "detail", action: "deleteTapped", "present", "confirm"),
      .init(
        from: "detail", action: "dependencySelected",
        [.init("push", .node("detail"), options: ["singleTop", "over"])]),
      .init(from: "confirm", action: "cancelled", [.init("dismiss")]),
      .init(
        from: "confirm", action: "confirmed",
        [
          .init("dismiss"), .init("popTo", .word("root"), options: ["inclusive"]),
          .init("notify", .node("watch"), options: ["as deleted"]),
          .init("notify", .word("presenter")),
        ]),
      .init(from: "confirm", action: "odd", "push", "nowhere"),
      .init(from: "orphan", action: "done", "reset", "home"),
    ],
    links: [
      .init(
        "package/{name}?tab={tab}",
        steps: [
          .init("push", .node("home")), .init("select", .node("list")),
          .init("push", .node("detail")), .init("present", .node("linked")),
        ], needs: "home")
    ], start: "home", background: ["clock"])

  private var running: GraphDrawing {
    var app = Self.app
    app.current = "detail"
    app.visited = ["home", "list", "detail"]
    app.travelled = [
      .init(node: "list", action: "selected"), .init(node: "confirm", action: "cancelled"),
    ]
    return app
  }

  @Test(
    "Every node stands there once with what it holds and its routes, and where you are is marked")
  func drawing() throws {
    try expectGolden(
      "graph",
      [24, 40, 80].flatMap { ["", "\($0) columns:"] + running.lines(width: $0) }
        + ["", "not running:"] + Self.app.lines(width: 80))
    for width in [20, 24, 40, 80] {
      for line in running.lines(width: width) { #expect(DisplayWidth.of(line) <= width, "\(line)") }
    }
  }

  @Test("The drawings for other programs are what they were")
  func otherPrograms() throws {
    try expectGolden("graph-dot", [Self.app.dot])
    try expectGolden("graph-mermaid", [Self.app.mermaid])
  }

  @Test("Two hundred nodes that all lead to one another are drawn once each")
  func large() {
    let drawing = Self.large
    let lines = drawing.lines(width: 80)
    for node in drawing.nodes {
      #expect(lines.count { $0.hasPrefix("○ \(node.name) ") || $0 == "○ \(node.name)" } == 1)
    }
    #expect(lines.first == "○ node-7  start")
    #expect(lines == drawing.lines(width: 80))
  }

  /// Two hundred nodes in circles.
  static let large: GraphDrawing = {
    let names = (0..<200).map { "node-\($0)" }
    var drawing = GraphDrawing(nodes: names.map { .init($0) }, start: "node-7")
    for (index, name) in names.enumerated() {
      for step in [1, 7, 100, 200] {
        drawing.routes.append(
          .init(from: name, action: "go\(step)", "push", names[(index + step) % 200]))
      }
    }
    return drawing
  }()

  @Test("A graph without nodes, or with a start that isn't there, is drawn all the same")
  func odd() throws {
    let empty = GraphDrawing(nodes: [], start: "x")
    #expect(!empty.lines(width: 80).isEmpty)
    try DOTGrammar.check(empty.dot)
    try MermaidGrammar.check(empty.mermaid)
    let lines = GraphDrawing(nodes: [.init("a")], start: "x").lines(width: 80)
    #expect(lines.contains("○ a"))
  }

  @Test("Containers that hold one another, or themselves, come to an end")
  func circles() throws {
    let drawing = GraphDrawing(
      nodes: [
        .init("a", tabs: ["b", "a"]), .init("b", tabs: ["a", "c", "c"]),
        .init("c", feature: "X.Y"), .init("d", tabs: ["c"]),
      ], start: "a")
    #expect(drawing.lines(width: 80).count { $0.hasPrefix("○ ") && !$0.hasPrefix("○ node") } == 4)
    let dot = try DOTGrammar.check(drawing.dot)
    #expect(dot.nodes.sorted() == ["a", "b", "c", "d"])
    #expect(try MermaidGrammar.check(drawing.mermaid).nodes.count == 4)
  }
}
