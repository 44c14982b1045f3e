internal import Navigation
internal import Support

extension GraphDrawing {
  /// The drawing in DOT, the language of Graphviz.
  ///
  /// A container is a cluster with its tabs in it. A verb that leads to a node is an edge; the
  /// others are in the label of their node.
  public var dot: String {
    var writer = DOTWriter()
    writer.open("digraph \(DOTWriter.quote(name))")
    writer.statement(
      "graph", [("label", title), ("labelloc", "t"), ("rankdir", "LR"), ("fontname", "sans-serif")])
    writer.statement(
      "node", [("shape", "box"), ("style", "rounded"), ("fontname", "sans-serif")])
    writer.statement("edge", [("fontname", "sans-serif"), ("fontsize", "10")])
    let layout = ClusterLayout(self)
    for part in layout.parts {
      switch part {
      case .open(let node):
        writer.open("subgraph \(DOTWriter.quote("cluster_" + node.name))")
        writer.statement("graph", [("label", ""), ("style", "rounded")])
      case .node(let node): writer.statement(DOTWriter.quote(node.name), attributes(node, layout))
      case .close: writer.close()
      }
    }
    for edge in layout.edges {
      writer.statement(
        DOTWriter.quote(edge.from) + " -> " + DOTWriter.quote(edge.to),
        [("label", edge.label)] + edge.kind.dotAttributes)
    }
    for link in links {
      guard let target = link.steps.last?.node else { continue }
      let id = "link " + link.path
      writer.statement(DOTWriter.quote(id), [("label", link.path), ("shape", "plaintext")])
      writer.statement(
        DOTWriter.quote(id) + " -> " + DOTWriter.quote(target),
        [("label", link.needs.map { "needs \($0)" } ?? ""), ("style", "dashed")])
    }
    writer.close()
    return writer.text
  }

  private func attributes(_ node: Node, _ layout: ClusterLayout) -> [(String, String)] {
    var attributes = [("label", layout.label(node).joined(separator: "\n"))]
    if !node.tabs.isEmpty { attributes.append(("shape", "folder")) }
    if node.name == start { attributes.append(("penwidth", "2")) }
    if background.contains(node.name) { attributes.append(("style", "rounded,dashed")) }
    return attributes
  }
}

extension ClusterLayout.Edge.Kind {
  fileprivate var dotAttributes: [(String, String)] {
    switch self {
    case .part, .background: [("style", "dotted"), ("arrowhead", "none")]
    case .notice: [("style", "dashed")]
    case .dialog: [("style", "bold")]
    case .way: []
    }
  }
}

/// Writes DOT statements with quoted names and values.
private struct DOTWriter {
  private(set) var text = ""
  private var depth = 0

  mutating func open(_ head: String) {
    line(head + " {")
    depth += 1
  }

  mutating func close() {
    depth -= 1
    line("}")
  }

  mutating func statement(_ head: String, _ attributes: [(name: String, value: String)]) {
    let list = attributes.map { "\($0.name)=\(Self.quote($0.value))" }.joined(separator: ", ")
    line(list.isEmpty ? head + ";" : "\(head) [\(list)];")
  }

  private mutating func line(_ text: String) {
    self.text += String(repeating: "  ", count: depth) + text + "\n"
  }

  /// A double-quoted string.
  ///
  /// Backslashes are doubled, because labels have escapes such as `\N`. Characters that are hazards
  /// in a terminal or invalid in XML are made visible.
  static func quote(_ string: String) -> String {
    var text = "\""
    for line in string.split(separator: "\n", omittingEmptySubsequences: false) {
      if text.utf8.count > 1 { text += "\\n" }
      for scalar in SafeText.line(String(line)).unicodeScalars {
        if scalar == "\"" || scalar == "\\" { text += "\\" }
        // Graphviz expands entities.
        if scalar == "&" { text += "&amp;" } else { text.unicodeScalars.append(scalar) }
      }
    }
    return text + "\""
  }
}
