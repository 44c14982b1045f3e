public import AppCore

/// The navigation graph: the manifest with every name resolved.
///
/// Nodes are known by their index in ``nodes``. That is the order of the manifest, until an app takes a
/// changed manifest over: a node then keeps the index that it had.
public struct Graph: Sendable {
  /// The app's name.
  public let name: String
  /// The app's title.
  public let title: String
  public let nodes: [Node]
  /// The node that an app begins with, and its arguments.
  public let start: Target
  /// The background instances that live as long as the app, without a screen.
  public let background: [Target]
  /// The routes for the delegate actions of a node.
  let routes: [RouteKey: Route]
  /// The addresses that open places in the app.
  public let links: [Link]
  private let indexes: [String: Int]
  /// The numbers of nodes that earlier versions of the manifest had, and this one does not.
  ///
  /// They are not part of the graph. Only what happened to them before is still known by their number.
  public let formerNodes: Set<Int>
  /// The containers that have a node as one of their tabs.
  let containersOfTab: [Int: [Int]]

  /// Creates a graph.
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
      guard case .tabs(let targets) = nodes[index].content else { continue }
      for target in targets { containers[target.node, default: []].append(index) }
    }
    containersOfTab = containers
    indexes = Dictionary(
      present.map { (nodes[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The indexes of the nodes that the manifest has.
  public var presentNodes: [Int] { nodes.indices.filter { !formerNodes.contains($0) } }

  /// The index of the node with this name.
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

struct RouteKey: Hashable, Sendable {
  let node: Int
  let action: String
}

/// A node of the graph.
public struct Node: Sendable {
  /// The kind of a node.
  public enum Content: Sendable {
    /// A feature, by its full name.
    case feature(String)
    /// A container, with what each tab begins with.
    case tabs([Target])
  }

  public let name: String
  /// For tabs, breadcrumb and graph; `nil` if the manifest gives none.
  public let title: String?
  public let content: Content
  /// The arguments that the node itself gives.
  public let arguments: ArgumentTemplate
  /// The arguments for entering it: those of its feature, or those that a container passes on.
  public let shape: Schema
  /// How many of its instances one stack may hold.
  public let maxDepth: Int?
  /// The background instances that live as long as an instance of this node, without a screen.
  public let background: [Target]
  /// What the node was called in earlier versions of the manifest.
  public let formerNames: [String]

  /// Creates a node.
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
}

/// A node that is to be entered, with what the place that names it supplies.
public struct Target: Sendable {
  public let node: Int
  public let arguments: ArgumentTemplate

  /// Creates a target.
  public init(node: Int, arguments: ArgumentTemplate = .empty) {
    self.node = node
    self.arguments = arguments
  }
}

/// What is done, as one step, for a delegate action of a node.
public struct Route: Sendable {
  public let node: Int
  public let action: String
  public let verbs: [RouteVerb]
  /// What the `notify` verbs supply, by the verb's position and the receiver's feature, where a
  /// receiver reads it by another type than the verb says.
  let supplies: [Supply: ArgumentTemplate]

  /// A `notify` verb and the feature of its receiver.
  struct Supply: Hashable {
    let verb: Int
    let feature: String
  }

  /// Creates a route.
  public init(node: Int, action: String, verbs: [RouteVerb]) {
    self.init(node: node, action: action, verbs: verbs, supplies: [:])
  }

  init(
    node: Int, action: String, verbs: [RouteVerb], supplies: [Supply: ArgumentTemplate]
  ) {
    self.node = node
    self.action = action
    self.verbs = verbs
    self.supplies = supplies
  }
}

extension Graph {
  /// The nodes that have instances as soon as an app begins: the start node, the background, and
  /// what containers among them bring along, which is their first tab and their background.
  public var nodesAtStart: Set<Int> {
    var found: Set<Int> = []
    var waiting = [start.node] + background.map(\.node)
    while let node = waiting.popLast() {
      guard found.insert(node).inserted else { continue }
      let definition = nodes[node]
      if case .tabs(let tabs) = definition.content, let first = tabs.first {
        waiting.append(first.node)
      }
      waiting += definition.background.map(\.node)
    }
    return found
  }
}
