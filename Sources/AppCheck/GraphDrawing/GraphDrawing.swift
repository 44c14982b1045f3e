internal import Manifest
internal import Navigation

/// A drawing of an app's nodes and the routes between them, as a value.
///
/// ``lines(width:style:)`` renders it as text, ``svg`` as an image, and ``dot`` and ``mermaid`` for
/// other programs.
public struct GraphDrawing: Sendable {
  public struct Node: Sendable {
    public let name: String
    /// The feature's full name; `nil` for a container.
    public let feature: String?
    public let title: String?
    /// The most instances of it in one stack.
    public let maxDepth: Int?
    /// The nodes that a container shows one at a time; none for a feature.
    public let tabs: [String]
    /// The nodes without a screen that live as long as the container.
    public let background: [String]

    public init(
      _ name: String, feature: String? = nil, title: String? = nil, maxDepth: Int? = nil,
      tabs: [String] = [], background: [String] = []
    ) {
      self.name = name
      self.feature = feature
      self.title = title
      self.maxDepth = maxDepth
      self.tabs = tabs
      self.background = background
    }
  }

  /// A verb's target.
  public enum Target: Hashable, Sendable {
    /// No target, as for `back`.
    case none
    case node(String)
    /// A word that stands for an instance, such as `presenter` and `root`.
    case word(String)
  }

  /// One step of a route.
  public struct Verb: Sendable {
    public let word: String
    public let target: Target
    /// Options, such as `singleTop`.
    public let options: [String]

    public init(_ word: String, _ target: Target = .none, options: [String] = []) {
      self.word = word
      self.target = target
      self.options = options
    }
  }

  /// The verbs that a delegate action of a node performs, as one step.
  public struct Route: Sendable {
    public let from: String
    public let action: String
    public let verbs: [Verb]

    public init(from: String, action: String, _ verbs: [Verb]) {
      self.from = from
      self.action = action
      self.verbs = verbs
    }

    /// Creates a route with one verb, whose target is a node.
    public init(from: String, action: String, _ verb: String, _ node: String) {
      self.init(from: from, action: action, [Verb(verb, .node(node))])
    }
  }

  /// An address that opens a place.
  public struct Link: Sendable {
    public let path: String
    public let steps: [Verb]
    /// The node that must have an instance.
    public let needs: String?

    public init(_ path: String, steps: [Verb], needs: String? = nil) {
      self.path = path
      self.steps = steps
      self.needs = needs
    }
  }

  /// Identifies a route.
  public struct RouteKey: Hashable, Sendable {
    package let node: String
    package let action: String

    public init(node: String, action: String) {
      self.node = node
      self.action = action
    }
  }

  public var name: String
  /// The display name.
  public var title: String
  public var nodes: [Node]
  public var routes: [Route]
  public var links: [Link]
  /// The name of the first node.
  public var start: String
  /// The nodes without a screen that live as long as the app.
  public var background: [String]
  /// The name of the node on screen; `nil` if no app is running.
  public var current: String?
  /// The names of the nodes on the current path.
  public var visited: Set<String> = []
  public var travelled: Set<RouteKey> = []

  /// Creates a drawing of an app that does not run.
  public init(
    name: String = "app", title: String = "app", nodes: [Node], routes: [Route] = [],
    links: [Link] = [], start: String, background: [String] = []
  ) {
    self.name = name
    self.title = title
    self.nodes = nodes
    self.routes = routes
    self.links = links
    self.start = start
    self.background = background
  }
}

extension GraphDrawing {
  /// The reachable nodes, nearest first, and the others in their order.
  ///
  /// - Complexity: linear in nodes and routes.
  var order: (reached: [Node], others: [Node]) {
    let known = Dictionary(nodes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
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

extension GraphDrawing.Verb {
  /// The node that is the verb's target.
  package var node: String? {
    if case .node(let name) = target { name } else { nil }
  }

  var targetText: String? {
    switch target {
    case .none: nil
    case .node(let name), .word(let name): name
    }
  }

  /// The options after the target, such as `(singleTop)`.
  var optionText: String {
    options.isEmpty ? "" : " (" + options.joined(separator: ", ") + ")"
  }

  /// The verb on one line of a label: `notify presenter (as heard)`.
  var labelText: String {
    word + (targetText.map { " \($0)" } ?? "") + optionText
  }
}
