import Foundation
import TestSupport
import Testing

@testable import AppCheck
@testable import Support

@Suite("Drawings for other programs")
struct DrawingFormatTests {
  /// Titles that end quotations, begin tags, make entities and hide.
  static let nasty = [
    "a \"quoted\" title", "back\\slash \\N \\n \\", "<b>bold</b> & <br/>", "&amp; &quot; #quot;",
    "`code` {brace} [bracket] |pipe| (paren)", "end", "two\nlines\r\nand\ttab", "-->|x| n0; n1",
    "文字 🙂 é", "\u{1b}[31mred\u{7}\u{202e}abc\u{2028}", "", "%% comment", "\"];\nevil -> x;",
    "#35;", "@{ shape: x }", "\u{0}",
  ]

  private static let drawing = GraphDrawing(
    name: "na\"me\\", title: "\"]; x -> y; [\"",
    nodes: nasty.enumerated().map { index, title in
      .init(
        name: "n\(index)", feature: index == 3 ? nil : "P.F", title: title,
        tabs: index == 3 ? ["n4", "n5"] : [])
    },
    routes: nasty.enumerated().map { index, text in
      .init(
        from: "n\(index)", action: "act" + text,
        verbs: [
          .init(word: "push", target: "n\((index + 1) % nasty.count)", options: [text]),
          .init(word: "notify", target: "presenter", targetIsNode: false, options: [text]),
        ])
    },
    links: nasty.map {
      .init(path: "path/" + $0, steps: [.init(word: "push", target: "n0")], needs: "n1")
    },
    start: "n0")

  @Test("Names that mean something to graphviz are quoted")
  func dot() throws {
    let graph = try DOTGrammar.check(Self.drawing.dot)
    #expect(graph.nodes.count == Self.nasty.count * 2)
    #expect(graph.edges.count == Self.nasty.count * 2)
    #expect(graph.clusters == ["cluster_n3"])
    #expect(
      graph.labels["n0"] == #"n0\n“a \"quoted\" title”\nP.F\nacta \"quoted\" title: "#
        + #"notify presenter (a \"quoted\" title)"#)
    #expect(graph.labels["n1"]?.contains(#"back\\slash \\N \\n \\"#) == true)
    #expect(graph.labels["n2"]?.contains("&amp; <br/>") == true)
  }

  @Test("Names that mean something to Mermaid are written by number")
  func mermaid() throws {
    let chart = try MermaidGrammar.check(Self.drawing.mermaid)
    #expect(chart.nodes.count == Self.nasty.count * 2)
    #expect(chart.edges.count == Self.nasty.count * 2)
    for (index, title) in Self.nasty.enumerated() where !title.isEmpty {
      #expect(chart.nodes["n\(index)"]?.contains("“\(SafeText.line(title))”") == true)
    }
  }

  @Test("Two hundred nodes in circles are drawn")
  func large() throws {
    let graph = try DOTGrammar.check(GraphDrawingTests.large.dot)
    #expect(graph.nodes.count == 200)
    #expect(graph.edges.count == 800)
    let chart = try MermaidGrammar.check(GraphDrawingTests.large.mermaid)
    #expect(chart.nodes.count == 200)
    #expect(chart.edges.count == 800)
  }

  @Test("A malformed drawing is refused by the grammars that validate the others")
  func grammars() {
    let dot = Self.drawing.dot
    let bad = [
      dot + "x", String(dot.dropLast(2)), dot.replacing("->", with: "-"),
      dot.replacing("\\\\N", with: "\\N"), dot.replacing("label", with: "lable"),
      dot.replacing(";\n", with: "\n"),
    ]
    for text in bad { #expect(throws: DOTGrammar.Failure.self) { try DOTGrammar.check(text) } }
    let mermaid = Self.drawing.mermaid
    let worse = [
      mermaid + "x", mermaid.replacing("#34;", with: "\""), mermaid.replacing("\n  end", with: ""),
      mermaid.replacing("-->", with: "--"), mermaid.replacing("\n  n1[", with: "\n  n0["),
      mermaid.replacing("flowchart LR", with: "flowchart"),
    ]
    for text in worse {
      #expect(throws: MermaidGrammar.Failure.self) { try MermaidGrammar.check(text) }
    }
  }

  @Test("graphviz, where it is installed, draws every node")
  func graphviz() async throws {
    guard let program = Program.find("dot") else { return }
    // One circle, and every node to itself: of more, graphviz takes seconds.
    var circle = GraphDrawingTests.large
    circle.routes.removeAll { $0.action != "go1" && $0.action != "go200" }
    for (drawing, count) in [(Self.drawing, 2 * Self.nasty.count), (circle, 200)] {
      let drawn = try await Program.run(program, ["-Tsvg"], input: drawing.dot)
      #expect(drawn.status == 0)
      let told = drawn.errors
      #expect(!told.contains("syntax error") && !told.contains("not recognized"), "\(told)")
      let svg = drawn.output
      #expect(svg.ranges(of: "class=\"node\"").count == count)
    }
  }
}
