internal import Manifest
internal import Support

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
