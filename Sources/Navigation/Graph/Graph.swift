public import AppCore
public import Support

/// The navigation graph: the manifest with every name resolved.
///
/// Nodes are identified by their index in ``nodes``. It is their position in the manifest; if an
/// app adopts a changed manifest, nodes keep the indexes that they had.
public struct Graph: Sendable {
  public let name: String
  public let title: String
  public let nodes: [Node]
  /// The node that an app begins with, and its arguments.
  public let start: Target
  /// The background instances that live as long as the app, without a screen.
  public let background: [Target]
  /// The routes by node and delegate action.
  let routes: [RouteKey: Route]
  /// The addresses that open places in the app.
  public let links: [Link]
  private let indexes: [String: Int]
  /// The indexes of nodes that earlier versions of the manifest had, and this one does not.
  ///
  /// They are not part of the graph, but the log and ending instances still refer to them.
  public let formerNodes: Set<Int>
  /// The containers that have a node as one of their tabs.
  let containersOfTab: [Int: [Int]]
  /// Whether the arguments of some node may contain a secret.
  package let takesSecrets: Bool

  public init(
    name: String, title: String, nodes: [Node], start: Target, background: [Target] = [],
    routes: [Route], links: [Link] = [], formerNodes: Set<Int> = []
  ) {
    self.name = name
    self.title = title
    self.nodes = nodes
    self.start = start
    self.background = background
    self.links = links
    self.formerNodes = formerNodes
    let present = nodes.indices.filter { !formerNodes.contains($0) }
    self.routes = Dictionary(
      routes.map { (RouteKey(node: $0.node, action: $0.action), $0) }, uniquingKeysWith: { $1 })
    var containers: [Int: [Int]] = [:]
    for index in present {
      for tab in nodes[index].tabs { containers[tab.node, default: []].append(index) }
    }
    containersOfTab = containers
    takesSecrets = present.contains { nodes[$0].shape.mayHoldSecret }
    indexes = Dictionary(
      present.map { (nodes[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The indexes of the nodes in the current manifest.
  public var presentNodes: [Int] { nodes.indices.filter { !formerNodes.contains($0) } }

  /// The index of the node with this name; `nil` if there is none.
  public func index(of name: String) -> Int? { indexes[name] }

  /// The plugin whose feature a node shows; `nil` for a container.
  package func plugin(of node: Int) -> String? {
    guard let feature = nodes[node].feature, let dot = feature.firstIndex(of: ".") else {
      return nil
    }
    return String(feature[..<dot])
  }

  /// The route for the delegate action `action` of `node`; `nil` if there is none.
  public func route(from node: Int, action: String) -> Route? {
    routes[RouteKey(node: node, action: action)]
  }

  /// All routes, by node and then by action.
  public var allRoutes: [Route] {
    routes.values.sorted { ($0.node, $0.action) < ($1.node, $1.action) }
  }
}

package struct RouteKey: Hashable, Sendable {
  let node: Int
  let action: String

  package init(node: Int, action: String) {
    self.node = node
    self.action = action
  }
}

public struct Node: Sendable {
  /// The kind of a node.
  public enum Content: Sendable {
    /// A feature, by its full name.
    case feature(String)
    /// A container, with the root of each tab.
    case tabs([Target])
  }

  public let name: String
  /// The title in tabs, breadcrumbs and the graph; `nil` if the manifest gives none.
  public let title: String?
  public private(set) var content: Content
  /// The arguments that the node itself gives.
  public let arguments: ArgumentTemplate
  /// The shape of the arguments for entering it: those of its feature, or those that a container
  /// passes on.
  public let shape: Schema
  /// The maximum number of its instances in one stack; `nil` for no limit.
  public let maxDepth: Int?
  /// The background instances that live as long as an instance of this node, without a screen.
  public private(set) var background: [Target]
  /// The names of the node in earlier versions of the manifest.
  public let formerNames: [String]

  public init(
    name: String, title: String? = nil, content: Content,
    arguments: ArgumentTemplate = .empty, shape: Schema = .any, maxDepth: Int? = nil,
    background: [Target] = [], formerNames: [String] = []
  ) {
    self.name = name
    self.title = title
    self.content = content
    self.arguments = arguments
    self.shape = shape
    self.maxDepth = maxDepth
    self.background = background
    self.formerNames = formerNames
  }

  /// The feature's full name; `nil` for a container.
  public var feature: String? {
    if case .feature(let name) = content { name } else { nil }
  }

  /// The tabs of a container; empty for a feature.
  package var tabs: [Target] { if case .tabs(let targets) = content { targets } else { [] } }
}

/// A node to enter, with the arguments supplied by the place that names it.
public struct Target: Hashable, Sendable {
  public let node: Int
  public let arguments: ArgumentTemplate
  /// The arguments where they refer to nothing.
  package var value: Value { arguments.resolved(.null) }

  public init(node: Int, arguments: ArgumentTemplate = .empty) {
    self.node = node
    self.arguments = arguments
  }

  package init(node: Int, _ value: Value) { self.init(node: node, arguments: .value(value)) }
}

/// The verbs that a delegate action of a node triggers, as one step.
public struct Route: Sendable {
  public let node: Int
  public let action: String
  public let verbs: [RouteVerb]

  public init(node: Int, action: String, verbs: [RouteVerb]) {
    self.node = node
    self.action = action
    self.verbs = verbs
  }
}

extension Graph {
  /// The nodes that have instances as soon as an app begins: the start node and the background, and
  /// the first tabs and backgrounds of containers among them.
  public var nodesAtStart: Set<Int> {
    var found: Set<Int> = []
    var waiting = [start.node] + background.map(\.node)
    while let node = waiting.popLast() {
      guard found.insert(node).inserted else { continue }
      let definition = nodes[node]
      if let first = definition.tabs.first { waiting.append(first.node) }
      waiting += definition.background.map(\.node)
    }
    return found
  }

  /// Renumbers the graph so that its nodes keep the indexes that they have in a former graph.
  ///
  /// An app's log, instances and running effects refer to nodes by index. Nodes are the same if
  /// they have the same name and feature. The other nodes of the former graph stay at their indexes
  /// as ``formerNodes``, and new nodes follow them.
  package func following(_ former: Graph) -> Graph {
    func key(_ node: Node) -> [String?] { [node.name, node.feature] }
    let known = Dictionary(
      former.nodes.enumerated().map { (key($1), $0) }, uniquingKeysWith: { first, _ in first })
    var all = former.nodes
    var absent = Set(all.indices)
    var map: [Int] = []
    for (index, node) in nodes.enumerated() {
      if let position = known[key(node)], !formerNodes.contains(index) {
        map.append(position)
        absent.remove(position)
      } else {
        map.append(all.count)
        all.append(node)
        if formerNodes.contains(index) { absent.insert(all.count - 1) }
      }
    }
    for (index, node) in nodes.enumerated() { all[map[index]] = node.renumbered(map) }
    return Graph(
      name: name, title: title, nodes: all, start: start.renumbered(map),
      background: background.map { $0.renumbered(map) },
      routes: allRoutes.map { $0.renumbered(map) }, links: links.map { $0.renumbered(map) },
      formerNodes: absent)
  }
}

extension Target {
  fileprivate func renumbered(_ map: [Int]) -> Target {
    Target(node: map[node], arguments: arguments)
  }
}

extension Node {
  fileprivate func renumbered(_ map: [Int]) -> Node {
    var node = self
    if case .tabs(let tabs) = content { node.content = .tabs(tabs.map { $0.renumbered(map) }) }
    node.background = background.map { $0.renumbered(map) }
    return node
  }
}

extension Route {
  fileprivate func renumbered(_ map: [Int]) -> Route {
    Route(node: map[node], action: action, verbs: verbs.map { $0.renumbered(map) })
  }
}

extension RouteVerb {
  fileprivate func renumbered(_ map: [Int]) -> RouteVerb {
    switch self {
    case .push(let target, let singleTop, let ifCovered):
      .push(target.renumbered(map), singleTop: singleTop, ifCovered)
    case .present(let target, let ifCovered): .present(target.renumbered(map), ifCovered)
    case .replace(let target, let ifCovered): .replace(target.renumbered(map), ifCovered)
    case .select(let node, let ifCovered): .select(node: map[node], ifCovered)
    case .popTo(.node(let node), let inclusive): .popTo(.node(map[node]), inclusive: inclusive)
    case .reset(let target): .reset(target.renumbered(map))
    case .notify(.node(let node), let input, let arguments, let others):
      .notify(.node(map[node]), input: input, arguments, others: others)
    case .notify(.all(let node), let input, let arguments, let others):
      .notify(.all(map[node]), input: input, arguments, others: others)
    case .back, .dismiss, .popTo(.root, _), .notify, .quit, .ignore: self
    }
  }
}

extension Link {
  fileprivate func renumbered(_ map: [Int]) -> Link {
    Link(
      path: path, types: types, steps: steps.map { $0.with($0.target.renumbered(map)) },
      needs: needs.map { map[$0] })
  }
}

/// A link with resolved names: an address that opens a place in the app.
public struct Link: Sendable {
  /// One step, starting from an app in which nothing is shown.
  public enum Step: Hashable, Sendable {
    /// If `isLiving`, the existing instance that the link needs is used, whatever its arguments.
    case push(Target, isLiving: Bool)
    case present(Target)
    case select(node: Int)
    /// Selects the tab whose own node is `tab`, with the target as its root; only positions have it.
    case root(Target, tab: Int)
  }

  /// The shape of the address.
  public let path: LinkPath
  /// The type of each parameter, inferred from its uses.
  public let types: [String: Schema]
  public let steps: [Step]
  /// The node of which an instance must exist before the link opens; `nil` if none is needed.
  public let needs: Int?

  public init(path: LinkPath, types: [String: Schema], steps: [Step], needs: Int? = nil) {
    self.path = path
    self.types = types
    self.steps = steps
    self.needs = needs
  }
}

extension Link.Step {
  /// The target of the step; without arguments for `select`.
  package var target: Target {
    switch self {
    case .push(let target, _), .present(let target), .root(let target, _): target
    case .select(let node): Target(node: node)
    }
  }

  /// The keyword in manifests.
  package var word: String {
    switch self {
    case .push: "push"
    case .present: "present"
    case .select, .root: "select"
    }
  }

  func with(_ target: Target) -> Self {
    switch self {
    case .push(_, let isLiving): .push(target, isLiving: isLiving)
    case .present: .present(target)
    case .select: .select(node: target.node)
    case .root(_, let tab): .root(target, tab: tab)
    }
  }
}
