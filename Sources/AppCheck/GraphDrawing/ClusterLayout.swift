internal import Navigation

/// The containers, nodes and edges of a drawing, in the form that DOT, Mermaid and SVG share.
struct ClusterLayout {
  /// An element of the drawing, in its order.
  enum Part {
    /// A container begins; its node and tabs follow.
    case open(GraphDrawing.Node)
    case node(GraphDrawing.Node)
    case close
  }

  struct Edge {
    /// The kind of a line, and its class in the style sheet of SVG.
    enum Kind: String {
      /// From a container to a node in its background, or to a tab that is drawn elsewhere.
      case part
      /// A notification: nothing is shown or left.
      case notice
      case dialog
      /// Any other verb.
      case way
    }

    let from: String
    let to: String
    let label: String
    let kind: Kind
  }

  /// The nodes, each once.
  private(set) var parts: [Part] = []
  private(set) var edges: [Edge] = []
  private let routes: [String: [GraphDrawing.Route]]
  private let start: String

  init(_ drawing: GraphDrawing) {
    routes = Dictionary(grouping: drawing.routes, by: \.from)
    start = drawing.start
    let known = Dictionary(
      drawing.nodes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    place(drawing.nodes, known)
    for node in drawing.nodes {
      for name in node.background where known[name] != nil {
        edges.append(Edge(from: node.name, to: name, label: "background", kind: .part))
      }
    }
    for route in drawing.routes where known[route.from] != nil {
      for verb in route.verbs {
        guard let target = verb.node, known[target] != nil else { continue }
        edges.append(
          Edge(
            from: route.from, to: target, label: "\(route.action): \(verb.word)\(verb.optionText)",
            kind: Edge.Kind(verb)))
      }
    }
  }

  /// Places each node in the first container that has it as a tab.
  private mutating func place(_ nodes: [GraphDrawing.Node], _ known: [String: GraphDrawing.Node]) {
    var owner: [String: String] = [:]
    for node in nodes {
      for tab in node.tabs where known[tab] != nil && tab != node.name {
        if owner[tab] == nil {
          owner[tab] = node.name
        } else {
          edges.append(Edge(from: node.name, to: tab, label: "tab", kind: .part))
        }
      }
    }
    var placed: Set<String> = []
    // Not recursive: containers may be nested as deeply as a manifest has lines.
    var pending: [Part] = nodes.reversed().filter { owner[$0.name] == nil }.map { .node($0) }
    func put(_ pending: inout [Part], _ parts: inout [Part]) {
      while let part = pending.popLast() {
        guard case .node(let node) = part else {
          parts.append(part)
          continue
        }
        guard placed.insert(node.name).inserted else { continue }
        let tabs = node.tabs.filter { owner[$0] == node.name }.compactMap { known[$0] }
        if tabs.isEmpty {
          parts.append(.node(node))
        } else {
          parts += [.open(node), .node(node)]
          pending.append(.close)
          pending += tabs.reversed().map { .node($0) }
        }
      }
    }
    put(&pending, &parts)
    // Containers in a cycle have no outermost one. Checks report them, but the drawing shows them.
    pending = nodes.reversed().filter { !placed.contains($0.name) }.map { .node($0) }
    put(&pending, &parts)
  }

  /// The lines of a node's label: name, title, feature, and the verbs that lead nowhere.
  func label(_ node: GraphDrawing.Node) -> [String] {
    var lines = [node.name] + node.facts
    for route in routes[node.name] ?? [] {
      let verbs = route.verbs.filter { $0.node == nil }.map(\.labelText)
      if !verbs.isEmpty { lines.append("\(route.action): " + verbs.joined(separator: ", ")) }
    }
    return lines
  }
}

extension ClusterLayout.Edge.Kind {
  init(_ verb: GraphDrawing.Verb) {
    self = verb.word == "notify" ? .notice : verb.word == "present" ? .dialog : .way
  }
}
