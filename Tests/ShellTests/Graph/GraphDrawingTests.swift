import Testing

@testable import AppCheck
@testable import Shell
@testable import Support

@Suite struct GraphDrawingTests {
  private static let app = GraphDrawing(
    nodes: [
      .init(name: "home", title: "Packages", tabs: ["list", "settings"], background: ["watch"]),
      .init(name: "list", feature: "Packages.List", title: "All"),
      .init(name: "settings", feature: "Packages.Settings"),
      .init(name: "watch", feature: "Packages.Watch"),
      .init(name: "detail", feature: "Packages.Detail", title: "Package 詳細", maxDepth: 20),
      .init(name: "orphan", feature: "Packages.Orphan"),
      .init(name: "confirm", feature: "Dialogs.Confirm", title: "Confirm"),
      .init(name: "linked", feature: "Dialogs.Notice"),
      .init(name: "clock", feature: "Dialogs.Clock"),
    ],
    routes: [
      .init(from: "list", action: "selected", verbs: [.init(word: "push", target: "detail")]),
      .init(from: "list", action: "refreshed", verbs: [.init(word: "replace", target: "list")]),
      .init(
        from: "detail", action: "deleteTapped", verbs: [.init(word: "present", target: "confirm")]),
      .init(
        from: "detail", action: "dependencySelected",
        verbs: [.init(word: "push", target: "detail", options: ["singleTop", "over"])]),
      .init(from: "confirm", action: "cancelled", verbs: [.init(word: "dismiss")]),
      .init(
        from: "confirm", action: "confirmed",
        verbs: [
          .init(word: "dismiss"),
          .init(word: "popTo", target: "root", targetIsNode: false, options: ["inclusive"]),
          .init(word: "notify", target: "watch", options: ["as deleted"]),
          .init(word: "notify", target: "presenter", targetIsNode: false),
        ]),
      .init(from: "confirm", action: "odd", verbs: [.init(word: "push", target: "nowhere")]),
      .init(from: "orphan", action: "done", verbs: [.init(word: "reset", target: "home")]),
    ],
    links: [
      .init(
        path: "package/{name}?tab={tab}",
        steps: [
          .init(word: "push", target: "home"), .init(word: "select", target: "list"),
          .init(word: "push", target: "detail"), .init(word: "present", target: "linked"),
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
    var drawing = GraphDrawing(nodes: names.map { .init(name: $0) }, start: "node-7")
    for (index, name) in names.enumerated() {
      for step in [1, 7, 100, 200] {
        drawing.routes.append(
          .init(
            from: name, action: "go\(step)",
            verbs: [.init(word: "push", target: names[(index + step) % 200])]))
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
    let lines = GraphDrawing(nodes: [.init(name: "a")], start: "x").lines(width: 80)
    #expect(lines.contains("○ a"))
  }

  @Test("Containers that hold one another, or themselves, come to an end")
  func circles() throws {
    let drawing = GraphDrawing(
      nodes: [
        .init(name: "a", tabs: ["b", "a"]), .init(name: "b", tabs: ["a", "c", "c"]),
        .init(name: "c", feature: "X.Y"), .init(name: "d", tabs: ["c"]),
      ], start: "a")
    #expect(drawing.lines(width: 80).count { $0.hasPrefix("○ ") && !$0.hasPrefix("○ node") } == 4)
    let dot = try DOTGrammar.check(drawing.dot)
    #expect(dot.nodes.sorted() == ["a", "b", "c", "d"])
    #expect(try MermaidGrammar.check(drawing.mermaid).nodes.count == 4)
  }
}
