internal import Manifest
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

extension GraphDrawing {
  /// The drawing as a Mermaid flowchart.
  ///
  /// A container is a subgraph with its tabs in it. A verb that leads to a node is an edge; the
  /// others are in the label of their node.
  public var mermaid: String {
    let layout = ClusterLayout(self)
    let ids = Dictionary(
      nodes.enumerated().map { ($1.name, "n\($0)") }, uniquingKeysWith: { first, _ in first })
    var lines = ["flowchart LR"]
    var depth = 1
    func line(_ text: String) { lines.append(String(repeating: "  ", count: depth) + text) }
    for part in layout.parts {
      switch part {
      case .open(let node):
        line("subgraph s\(ids[node.name]?.dropFirst() ?? "")[\(Self.quote([node.name]))]")
        depth += 1
      case .node(let node):
        let label = Self.quote(layout.label(node))
        let isContainer = !node.tabs.isEmpty
        line((ids[node.name] ?? "") + (isContainer ? "[[\(label)]]" : "[\(label)]"))
      case .close:
        depth -= 1
        line("end")
      }
    }
    for edge in layout.edges {
      guard let from = ids[edge.from], let to = ids[edge.to] else { continue }
      line("\(from) \(edge.kind.mermaidArrow)|\(Self.quote([edge.label]))| \(to)")
    }
    for (index, link) in links.enumerated() {
      guard let target = link.steps.last?.node, let to = ids[target] else { continue }
      line("l\(index)([\(Self.quote([link.path]))])")
      line("l\(index) -.-> \(to)")
    }
    if let first = ids[start] {
      line("classDef first stroke-width:3px")
      line("class \(first) first")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A quoted text of several lines.
  ///
  /// Everything but letters, digits, spaces and plain punctuation is written as an entity, so that it
  /// can't end the quotation or begin a tag.
  static func quote(_ lines: [String]) -> String {
    let texts = lines.map { line in
      var text = ""
      for scalar in SafeText.line(line).unicodeScalars {
        if isPlain(scalar) {
          text.unicodeScalars.append(scalar)
        } else {
          text += "#\(scalar.value);"
        }
      }
      return text
    }
    return "\"" + texts.joined(separator: "<br/>") + "\""
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", ":", "-", "_", "/", "(", ")", "?", "!",
      "'", "+", "=", "…":
      true
    default: scalar.value >= 0xA0
    }
  }
}

extension ClusterLayout.Edge.Kind {
  fileprivate var mermaidArrow: String {
    switch self {
    case .part: "-.-"
    case .notice: "-.->"
    case .dialog: "==>"
    case .way: "-->"
    }
  }
}

extension GraphDrawing {
  /// The version of the JSON form, which is raised with every incompatible change.
  static let jsonVersion = 1

  /// The graph as one object, nodes and routes in the order of the manifest.
  var jsonTree: JSONTree {
    [
      "version": .int(Self.jsonVersion),
      "name": .string(name),
      "title": .string(title),
      "start": .string(start),
      "background": JSONTree(background),
      "nodes": .array(nodes.map(\.jsonTree)),
      "routes": .array(
        routes.map { route in
          [
            "from": .string(route.from), "action": .string(route.action),
            "verbs": .array(route.verbs.map(\.jsonTree)),
          ]
        }),
      "links": .array(
        links.map { link in
          [
            "path": .string(link.path), "open": .array(link.steps.map(\.jsonTree)),
            "needs": JSONTree(link.needs),
          ]
        }),
    ]
  }
}

extension GraphDrawing.Node {
  fileprivate var jsonTree: JSONTree {
    [
      "name": .string(name),
      "title": JSONTree(title),
      "feature": JSONTree(feature),
      "maxDepth": maxDepth.map { .int($0) } ?? .null,
      "tabs": JSONTree(tabs),
      "background": JSONTree(background),
    ]
  }
}

extension GraphDrawing.Verb {
  fileprivate var jsonTree: JSONTree {
    var tree: JSONTree = ["verb": .string(word)]
    if let target { tree = tree.adding([(targetIsNode ? "node" : "target", .string(target))]) }
    return options.isEmpty ? tree : tree.adding([("options", JSONTree(options))])
  }
}
