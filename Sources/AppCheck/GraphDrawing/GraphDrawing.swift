internal import Manifest
package import Navigation
public import Support

/// A drawing of an app's nodes and the routes between them, as a value.
///
/// ``lines(width:style:)`` renders it as text, ``svg`` as an image, and ``dot`` and ``mermaid`` for
/// other programs.
public struct GraphDrawing: Sendable {
  package struct Node: Sendable {
    package let name: String
    /// The feature's full name; `nil` for a container.
    package var feature: String?
    var title: String?
    /// The most instances of it in one stack.
    var maxDepth: Int?
    /// The nodes that a container shows one at a time; none for a feature.
    var tabs: [String] = []
    /// The nodes without a screen that live as long as the container.
    var background: [String] = []
  }

  struct Verb: Sendable {
    let word: String
    /// A node, or a word that stands for an instance, such as `presenter` and `root`.
    var target: String?
    var targetIsNode = true
    /// Options, such as `singleTop`.
    var options: [String] = []

    /// The node that is the verb's target.
    var node: String? { targetIsNode ? target : nil }
  }

  /// The verbs that a delegate action of a node performs, as one step.
  struct Route: Sendable {
    let from: String
    let action: String
    let verbs: [Verb]
  }

  struct Link: Sendable {
    let path: String
    let steps: [Verb]
    /// The node that must have an instance.
    var needs: String?
  }

  package struct RouteKey: Hashable, Sendable {
    let node: String
    let action: String

    package init(node: String, action: String) {
      self.node = node
      self.action = action
    }
  }

  var name = "app"
  package var title = "app"
  package var nodes: [Node]
  var routes: [Route] = []
  var links: [Link] = []
  var start: String
  /// The nodes without a screen that live as long as the app.
  var background: [String] = []
  /// The name of the node on screen; `nil` if no app is running.
  package var current: String?
  /// The names of the nodes on the current path.
  package var visited: Set<String> = []
  package var travelled: Set<RouteKey> = []

  /// The drawing of an app that can't be read.
  package static let empty = GraphDrawing(nodes: [], start: "")

  /// The reachable nodes, nearest first, and the others in their order.
  ///
  /// - Complexity: linear in nodes and routes.
  var order: (reached: [Node], others: [Node]) {
    let known = nodes.keyed(by: \.name)
    let outgoing = Dictionary(grouping: routes, by: \.from)
    var queue: [Node] = []
    var seen: Set<String> = []
    func reach(_ name: String) {
      guard let node = known[name], seen.insert(name).inserted else { return }
      queue.append(node)
    }
    reach(start)
    background.forEach(reach)
    var next = 0
    func follow() {
      while next < queue.count {
        let node = queue[next]
        next += 1
        (node.tabs + node.background).forEach(reach)
        for route in outgoing[node.name] ?? [] { route.verbs.forEach { $0.node.map(reach) } }
      }
    }
    follow()
    for link in links { link.steps.forEach { $0.node.map(reach) } }
    follow()
    return (queue, nodes.filter { seen.insert($0.name).inserted })
  }
}

extension GraphDrawing.Node {
  /// Title, feature and limit, for the labels of the node.
  var facts: [String] {
    var facts: [String] = []
    if let title, !title.isEmpty { facts.append("“\(title)”") }
    if let feature { facts.append(feature) }
    if let maxDepth { facts.append("at most \(maxDepth)") }
    return facts
  }
}

extension GraphDrawing.Verb {
  /// The options after the target, such as `(singleTop)`.
  var optionText: String {
    options.isEmpty ? "" : " (" + options.joined(separator: ", ") + ")"
  }

  /// The verb on one line of a label: `notify presenter (as heard)`.
  var labelText: String {
    word + (target.map { " \($0)" } ?? "") + optionText
  }
}

extension GraphDrawing {
  package init(_ graph: Graph) {
    func name(_ node: Int) -> String { graph.nodes[node].name }
    self.init(
      name: graph.name, title: graph.title,
      nodes: graph.presentNodes.map { graph.nodes[$0] }.map { node in
        Node(
          name: node.name, feature: node.feature, title: node.title, maxDepth: node.maxDepth,
          tabs: node.tabs.map { name($0.node) }, background: node.background.map { name($0.node) })
      },
      routes: graph.allRoutes.map { route in
        Route(
          from: name(route.node), action: route.action,
          verbs: route.verbs.map { Verb($0, action: route.action, name: name) })
      },
      links: graph.links.map { link in
        Link(
          path: link.path.text,
          steps: link.steps.map { Verb(word: $0.word, target: name($0.target.node)) },
          needs: link.needs.map(name))
      },
      start: name(graph.start.node), background: graph.background.map { name($0.node) })
  }
}

extension GraphDrawing.Verb {
  fileprivate init(_ verb: RouteVerb, action: String, name: (Int) -> String) {
    self.init(word: verb.word)
    switch verb {
    case .push(let node, let singleTop, let ifCovered):
      target = name(node.node)
      options = (singleTop ? ["singleTop"] : []) + ifCovered.options
    case .present(let node, let ifCovered), .replace(let node, let ifCovered):
      target = name(node.node)
      options = ifCovered.options
    case .select(let node, let ifCovered):
      target = name(node)
      options = ifCovered.options
    case .popTo(let place, let inclusive):
      if case .node(let node) = place { target = name(node) } else { setWord("root") }
      options = inclusive ? ["inclusive"] : []
    case .reset(let node): target = name(node.node)
    case .notify(let receiver, let input, _, _):
      options = input == action ? [] : ["as \(input)"]
      switch receiver {
      case .node(let node): target = name(node)
      case .all(let node):
        target = name(node)
        options.append("toAll")
      case .presenter: setWord("presenter")
      case .opener: setWord("opener")
      case .current: setWord("current")
      }
    case .back, .dismiss, .quit, .ignore: break
    }
  }

  private mutating func setWord(_ word: String) { (target, targetIsNode) = (word, false) }
}

extension IfCovered {
  fileprivate var options: [String] {
    switch self {
    case .refuse: []
    case .cut: ["cut"]
    case .over: ["over"]
    }
  }
}

public enum GraphFormat: String, CaseIterable, Sendable {
  case text
  case dot
  case mermaid
  case svg
  /// A JSON object, described in docs/manifest.md.
  case json
}

extension ManifestReport {
  /// The drawing of the graph; `nil` if the manifest has errors.
  public var drawing: GraphDrawing? { graph.map { GraphDrawing($0) } }

  /// The graph in a format, ending in a line break; `nil` if the manifest has errors.
  ///
  /// Width and style are those of text.
  public func drawing(
    _ format: GraphFormat, width: Int = 80, style: Style = .plain
  ) -> String? {
    guard let drawing else { return nil }
    return switch format {
    case .text: drawing.lines(width: width, style: style).map { $0 + "\n" }.joined()
    case .dot: drawing.dot
    case .mermaid: drawing.mermaid
    case .svg: drawing.svg
    case .json: drawing.jsonTree.text
    }
  }
}
