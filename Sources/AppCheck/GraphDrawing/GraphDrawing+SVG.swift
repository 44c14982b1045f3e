internal import Support

extension GraphDrawing {
  /// The drawing as an SVG image, with a light and a dark style.
  ///
  /// A node is a box with a row for each verb of its routes, and a line from the row to the verb's
  /// target. A line over many columns is not drawn; its row names the target.
  /// - Complexity: O((n + r) log n) for n nodes and r routes.
  public var svg: String { svg(style: Self.svgStyle) }

  /// ``svg`` without its style, for a page that includes ``svgStyle``.
  package var svgContent: String { svg(style: nil) }

  private func svg(style: String?) -> String {
    let blocks = GraphBlocks(self)
    var writer = SVGWriter()
    let margin = 16
    let width = max(blocks.width, 200) + 2 * margin + GraphBlocks.lineRoom
    let height = blocks.height + 2 * margin
    writer.open(
      "svg",
      [
        ("xmlns", "http://www.w3.org/2000/svg"), ("class", "graph"),
        ("viewBox", "\(-margin) \(-margin) \(width) \(height)"),
        ("width", "\(width)"), ("height", "\(height)"), ("role", "group"),
        ("aria-label", "Graph of \(title)"),
      ])
    writer.text("title", [], title)
    if let style { writer.raw("<style>\n\(style)</style>\n") }
    writer.raw(Self.arrowHeads)
    for (index, box) in blocks.boxes.enumerated() where box.isContainer {
      write(box, index, &writer)
    }
    writer.open("g", [("class", "lines"), ("aria-hidden", "true")])
    for line in blocks.lines { write(line, blocks, &writer) }
    writer.close("g")
    for (index, box) in blocks.boxes.enumerated() where !box.isContainer {
      write(box, index, &writer)
    }
    writer.close("svg")
    return writer.content
  }

  private func write(_ box: GraphBlocks.Box, _ index: Int, _ writer: inout SVGWriter) {
    let node = box.node
    var classes = ["node"]
    if box.isContainer { classes.append("container") }
    if node.name == start { classes.append("start") }
    if background.contains(node.name) { classes.append("background") }
    writer.open(
      "g",
      [
        ("class", classes.joined(separator: " ")), ("data-node", node.name), ("tabindex", "0"),
        ("role", "group"),
        (
          "aria-label",
          ([box.head.joined(separator: ", ")]
            + box.rows.map { $0.cells.filter { !$0.isEmpty }.joined(separator: " ") })
            .joined(separator: "; ")
        ),
        ("transform", "translate(\(box.corner.x) \(box.corner.y))"),
      ])
    writer.element(
      "rect", [("width", "\(box.width)"), ("height", "\(box.height)"), ("rx", "6")])
    var y = GraphBlocks.nameHeight - 7
    for (line, text) in box.head.enumerated() {
      writer.text(
        "text",
        [("class", line == 0 ? "name" : "about"), ("x", "\(GraphBlocks.padding)"), ("y", "\(y)")],
        text)
      y += GraphBlocks.headLineHeight
    }
    let top = GraphBlocks.headHeight(box.head)
    if !box.rows.isEmpty {
      writer.element("path", [("class", "rule"), ("d", "M0 \(top - 2)H\(box.width)")])
    }
    let second = GraphBlocks.padding + GraphBlocks.cellWidths(box.rows)[0] + GraphBlocks.cellGap
    for row in box.rows {
      let y = top + row.number * GraphBlocks.rowHeight + 13
      for (cell, x) in zip(row.cells, [GraphBlocks.padding, second]) where !cell.isEmpty {
        let name = x == second || row.kind == nil || row.kind == .part ? "verb" : "action"
        var attributes = [("class", name), ("x", "\(x)"), ("y", "\(y)")]
        if name == "verb", let target = row.target, target != node.name {
          attributes.append(("data-target", target))
        }
        writer.text("text", attributes, cell)
      }
    }
    writer.close("g")
  }

  private func write(
    _ line: GraphBlocks.Line, _ blocks: GraphBlocks, _ writer: inout SVGWriter
  ) {
    let from = blocks.boxes[line.box]
    guard let points = line.points, let kind = from.rows[line.row].kind else { return }
    var path = "M\(points[0].x) \(points[0].y)"
    for (start, end) in zip(points, points.dropFirst()) where start != end {
      let bend = GraphBlocks.bend(from: start, to: end)
      path +=
        start.y == end.y
        ? "H\(end.x)" : "C\(bend) \(start.y) \(bend) \(end.y) \(end.x) \(end.y)"
    }
    var attributes = [
      ("class", "line \(kind.rawValue)"), ("d", path), ("data-from", from.node.name),
      ("data-to", blocks.boxes[line.target].node.name),
    ]
    if kind != .part { attributes.append(("marker-end", "url(#arrow)")) }
    writer.element("path", attributes)
  }

  private static let arrowHeads = """
    <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" \
    markerHeight="9" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="head" d="M0 0L8 4L0 8Z"/>\
    </marker></defs>

    """

  package static let svgStyle = """
    .graph { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; \
    background: #fff; color: #1c2128 }
    .graph text { fill: currentColor }
    .graph .name { font-size: 14px; font-weight: bold }
    .graph .about, .graph .verb { fill: #57606a }
    .graph rect { fill: #f6f8fa; stroke: #8c959f }
    .graph .container rect { fill: #eef2f6; stroke-dasharray: 6 3 }
    .graph .background rect { stroke-dasharray: 2 3 }
    .graph .start rect { stroke: #1a7f37; stroke-width: 2 }
    .graph .rule { stroke: #d0d7de; fill: none }
    .graph .line { fill: none; stroke: #57606a; stroke-width: 1.2 }
    .graph .dialog { stroke-width: 2.2 }
    .graph .notice { stroke-dasharray: 5 4 }
    .graph .part { stroke-dasharray: 1 4 }
    .graph .head { fill: context-stroke }
    @media (prefers-color-scheme: dark) {
      .graph { background: #0d1117; color: #e6edf3 }
      .graph .about, .graph .verb { fill: #9da5ae }
      .graph rect { fill: #161b22; stroke: #6e7681 }
      .graph .container rect { fill: #10151c }
      .graph .start rect { stroke: #3fb950 }
      .graph .rule { stroke: #30363d }
      .graph .line { stroke: #9da5ae }
    }

    """
}

/// Writes XML elements with escaped attributes and texts.
private struct SVGWriter {
  private(set) var content = ""

  mutating func open(_ name: String, _ attributes: [(name: String, value: String)]) {
    tag(name, attributes)
    content += ">\n"
  }

  mutating func close(_ name: String) { content += "</\(name)>\n" }

  mutating func element(_ name: String, _ attributes: [(name: String, value: String)]) {
    tag(name, attributes)
    content += "/>\n"
  }

  mutating func text(_ name: String, _ attributes: [(name: String, value: String)], _ text: String)
  {
    tag(name, attributes)
    content += ">\(MarkupText.escaped(text))</\(name)>\n"
  }

  /// Writes markup, which must not have any text from a manifest.
  mutating func raw(_ markup: String) { content += markup }

  private mutating func tag(_ name: String, _ attributes: [(name: String, value: String)]) {
    content += "<" + name
    for (name, value) in attributes { content += " \(name)=\"\(MarkupText.escaped(value))\"" }
  }
}
