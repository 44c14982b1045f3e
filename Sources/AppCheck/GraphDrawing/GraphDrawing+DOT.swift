internal import Navigation
internal import Support

extension GraphDrawing {
  /// The drawing in DOT, the language of Graphviz.
  ///
  /// A container is a cluster with its tabs in it. A verb that leads to a node is an edge; the
  /// others are in the label of their node.
  public var dot: String {
    var lines: [String] = []
    var depth = 0
    func line(_ text: String) { lines.append(String(repeating: "  ", count: depth) + text + "\n") }
    func open(_ head: String) {
      line(head + " {")
      depth += 1
    }
    func close() {
      depth -= 1
      line("}")
    }
    func statement(_ head: String, _ attributes: [(name: String, value: String)]) {
      let list = attributes.map { "\($0.name)=\(Self.dotQuote($0.value))" }
      line("\(head) [\(list.joined(separator: ", "))];")
    }
    func edge(_ from: String, _ to: String, _ attributes: [(name: String, value: String)]) {
      statement(Self.dotQuote(from) + " -> " + Self.dotQuote(to), attributes)
    }
    open("digraph \(Self.dotQuote(name))")
    statement(
      "graph", [("label", title), ("labelloc", "t"), ("rankdir", "LR"), ("fontname", "sans-serif")])
    statement("node", [("shape", "box"), ("style", "rounded"), ("fontname", "sans-serif")])
    statement("edge", [("fontname", "sans-serif"), ("fontsize", "10")])
    let layout = ClusterLayout(self)
    for part in layout.parts {
      switch part {
      case .open(let node):
        open("subgraph \(Self.dotQuote("cluster_" + node.name))")
        statement("graph", [("label", ""), ("style", "rounded")])
      case .node(let node): statement(Self.dotQuote(node.name), attributes(node, layout))
      case .close: close()
      }
    }
    for line in layout.edges {
      edge(line.from, line.to, [("label", line.label)] + line.kind.dotAttributes)
    }
    for link in links {
      guard let target = link.steps.last?.node else { continue }
      let id = "link " + link.path
      statement(Self.dotQuote(id), [("label", link.path), ("shape", "plaintext")])
      edge(id, target, [("label", link.needs.map { "needs \($0)" } ?? ""), ("style", "dashed")])
    }
    close()
    return lines.joined()
  }

  private func attributes(_ node: Node, _ layout: ClusterLayout) -> [(String, String)] {
    var attributes = [("label", layout.label(node).joined(separator: "\n"))]
    if !node.tabs.isEmpty { attributes.append(("shape", "folder")) }
    if node.name == start { attributes.append(("penwidth", "2")) }
    if background.contains(node.name) { attributes.append(("style", "rounded,dashed")) }
    return attributes
  }

  /// A double-quoted string.
  ///
  /// Backslashes are doubled, because labels have escapes such as `\N`. Characters that are hazards
  /// in a terminal or invalid in XML are made visible.
  private static func dotQuote(_ string: String) -> String {
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

extension ClusterLayout.Edge.Kind {
  fileprivate var dotAttributes: [(String, String)] {
    switch self {
    case .part: [("style", "dotted"), ("arrowhead", "none")]
    case .notice: [("style", "dashed")]
    case .dialog: [("style", "bold")]
    case .way: []
    }
  }
}
