import AppCore
internal import TestSupport

@testable import Navigation

/// A graph that nobody thought of.
struct RandomGraph {
  private var random: SplitMix64
  private let featureCount = 6
  private let containerCount: Int
  static let actions = ["go", "more", "other"]
  /// What every node takes.
  private static let shape = Schema.object([
    Schema.Field(name: "tag", schema: .optional(.string))
  ])

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    containerCount = Int.random(in: 0...4, using: &random)
  }

  private var nodeCount: Int { featureCount + containerCount }

  mutating func make() -> Graph {
    let nodes = (0..<nodeCount).map { $0 < featureCount ? feature($0) : container($0) }
    var routes: [Route] = []
    for node in 0..<featureCount {
      for action in Self.actions {
        let count = [1, 1, 1, 2, 2, 3, 4].randomElement(using: &random) ?? 1
        routes.append(
          Route(node: node, action: action, verbs: (0..<count).map { _ in verb() }))
      }
    }
    return Graph(
      name: "random", title: "Random", nodes: nodes,
      start: Target(node: Int.random(in: 0..<nodeCount, using: &random)),
      background: (0..<Int.random(in: 0...1, using: &random)).map { _ in background() },
      routes: routes)
  }

  private mutating func feature(_ index: Int) -> Node {
    let isDeaf = Int.random(in: 0..<4, using: &random) == 0
    return Node(
      name: "f\(index)", content: .feature(isDeaf ? "Mock.Deaf" : "Mock.Probe"),
      arguments: Bool.random(using: &random) ? .object(["tag": .value("own")]) : .empty,
      shape: Self.shape,
      maxDepth: Bool.random(using: &random) ? Int.random(in: 1...3, using: &random) : nil)
  }

  /// Tabs are features, and containers that come later, so that none contains itself.
  private mutating func container(_ index: Int) -> Node {
    let count = Int.random(in: 1...3, using: &random)
    var tabs: [Target] = []
    for _ in 0..<count {
      let inner = Int.random(in: index..<nodeCount, using: &random)
      let node =
        inner > index && Bool.random(using: &random)
        ? inner : Int.random(in: 0..<featureCount, using: &random)
      // Two tabs of one name could not be told apart: manifests may not have them.
      guard !tabs.contains(where: { $0.node == node }) else { continue }
      tabs.append(Target(node: node, arguments: arguments()))
    }
    return Node(
      name: "c\(index)", content: .tabs(tabs), shape: Self.shape,
      background: (0..<Int.random(in: 0...1, using: &random)).map { _ in background() })
  }

  private mutating func background() -> Target {
    Target(node: Int.random(in: 0..<featureCount, using: &random))
  }

  private mutating func arguments() -> ArgumentTemplate {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .object(["tag": .payload(["text"])])
    case 1: .object(["tag": .payload(["tag"])])
    case 2: .object(["tag": .value("fixed")])
    default: .empty
    }
  }

  private mutating func target() -> Target {
    Target(node: Int.random(in: 0..<nodeCount, using: &random), arguments: arguments())
  }

  private mutating func verb() -> RouteVerb {
    let ifCovered = [IfCovered.refuse, .refuse, .cut, .over].randomElement(using: &random) ?? .cut
    let node = Int.random(in: 0..<nodeCount, using: &random)
    let flag = Bool.random(using: &random)
    switch Int.random(in: 0..<15, using: &random) {
    case 0, 1, 2: return .push(target(), singleTop: flag, ifCovered)
    case 3, 4: return .present(target(), ifCovered)
    case 5: return .replace(target(), ifCovered)
    case 6, 7: return .select(node: node, ifCovered)
    case 8: return .back
    case 9: return .dismiss
    case 10: return .popTo(.node(node), inclusive: flag)
    case 11: return .popTo(.root, inclusive: flag)
    case 12: return Int.random(in: 0..<4, using: &random) == 0 ? .reset(target()) : .ignore
    case 13: return .tell(receiver(node))
    default: return flag ? .tell(receiver(node)) : .back
    }
  }

  private mutating func receiver(_ node: Int) -> Receiver {
    [.presenter, .opener, .current, .node(node), .node(node), .all(node)].randomElement(
      using: &random) ?? .current
  }
}
