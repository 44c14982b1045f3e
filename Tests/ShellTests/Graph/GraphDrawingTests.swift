import Testing

@testable import Shell

@Suite struct GraphDrawingTests {
  private let app = GraphDrawing(
    nodes: [
      .init("home", feature: "Packages.List", title: "Packages"),
      .init("detail", feature: "Packages.Detail", title: "Package 詳細"),
      .init("orphan", feature: "Packages.Orphan"),
      .init("confirm", feature: "Dialogs.Confirm", title: "Confirm"),
    ],
    edges: [
      .init(from: "home", to: "detail", label: "selected", verb: "push"),
      .init(from: "home", to: "home", label: "refreshed", verb: "replace"),
      .init(from: "detail", to: "confirm", label: "deleteTapped", verb: "present"),
      .init(from: "detail", to: "detail", label: "dependencySelected", verb: "push"),
      .init(from: "confirm", to: nil, label: "cancelled", verb: "dismiss"),
      .init(from: "confirm", to: "home", label: "confirmed", verb: "popTo"),
      .init(from: "confirm", to: "nowhere", label: "odd", verb: "push"),
      .init(from: "orphan", to: "home", label: "done", verb: "reset"),
    ], start: "home", current: "detail", visited: ["home", "detail"])

  @Test("Every node stands there once with its routes, and where you are is marked")
  func drawing() throws {
    try expectGolden(
      "graph", [24, 40, 80].flatMap { ["", "\($0) columns:"] + app.lines(width: $0) })
    for width in [20, 24, 40, 80] {
      for line in app.lines(width: width) { #expect(DisplayWidth.of(line) <= width, "\(line)") }
    }
  }

  @Test("Two hundred nodes that all lead to one another are drawn once each")
  func large() {
    let names = (0..<200).map { "node-\($0)" }
    var drawing = GraphDrawing(nodes: names.map { .init($0) }, edges: [], start: "node-7")
    for (index, name) in names.enumerated() {
      for step in [1, 7, 100] {
        drawing.edges.append(
          .init(from: name, to: names[(index + step) % 200], label: "go\(step)", verb: "push"))
      }
    }
    let lines = drawing.lines(width: 80)
    for name in names {
      #expect(lines.count { $0.hasPrefix("○ \(name) ") || $0 == "○ \(name)" } == 1)
    }
    #expect(lines.first == "○ node-7  start")
    #expect(lines == drawing.lines(width: 80))
  }

  @Test("A graph without nodes, or with a start that isn't there, is drawn all the same")
  func odd() {
    #expect(!GraphDrawing(nodes: [], edges: [], start: "x").lines(width: 80).isEmpty)
    let lines = GraphDrawing(nodes: [.init("a")], edges: [], start: "x").lines(width: 80)
    #expect(lines.contains("○ a"))
  }
}
