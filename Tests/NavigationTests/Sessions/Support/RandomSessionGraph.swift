import AppCore
@_spi(Host) import Navigation
internal import TestSupport

@testable import Sessions

/// A random graph: containers with tabs and backgrounds, depth limits, renamed nodes.
struct RandomSessionGraph {
  static let names = (0..<12).map { "node\($0)" }
  let graph: Graph
  let identity: SessionIdentity

  init(_ random: inout SplitMix64) {
    let count = Int.random(in: 1...Self.names.count, using: &random)
    let own = Array(Self.names.shuffled(using: &random).prefix(count))
    var nodes: [Node] = []
    for (index, name) in own.enumerated() {
      // The last is a feature, so that every container ends somewhere.
      let isContainer = index < count - 1 && Int.random(in: 0..<4, using: &random) == 0
      let others = Array(index + 1..<max(count, index + 2))
      func targets(_ limit: Int, _ random: inout SplitMix64) -> [Target] {
        (0..<Int.random(in: 1...limit, using: &random)).compactMap { _ in
          others.randomElement(using: &random).flatMap { $0 < count ? Target(node: $0) : nil }
        }
      }
      let content: Node.Content =
        isContainer
        ? .tabs(targets(3, &random))
        : .feature(["Mock.One", "Mock.Two", "Other.Three"].randomElement(using: &random) ?? "")
      let background =
        index < count - 1 && Int.random(in: 0..<5, using: &random) == 0 ? targets(2, &random) : []
      let former =
        Int.random(in: 0..<3, using: &random) == 0
        ? [Self.names.randomElement(using: &random) ?? ""] : []
      nodes.append(
        Node(
          name: name, content: content,
          maxDepth: Int.random(in: 0..<4, using: &random) == 0
            ? Int.random(in: 1...2, using: &random) : nil,
          background: background, formerNames: former))
    }
    let isLively = Int.random(in: 0..<3, using: &random) == 0
    graph = Graph(
      name: "random", title: "Random", nodes: nodes,
      start: Target(node: Int.random(in: 0..<count, using: &random)),
      background: isLively ? [Target(node: count - 1)] : [], routes: [])
    identity = SessionIdentity(
      app: "random", manifest: "/apps/random.yaml",
      plugins: ["Mock", "Other"].map { .init(name: $0, version: "1.0.0", digest: $0) },
      nodes: graph.nodes.map { .init(name: $0.name, feature: $0.feature) })
  }

  /// A random session image of the graph, in which some instances have impossible places.
  func image(_ random: inout SplitMix64) -> SessionImage {
    var image = SessionImage(identity: identity)
    var ids: [InstanceID] = []
    for _ in 0..<Int.random(in: 0...24, using: &random) {
      let id = InstanceID(
        number: Int.random(in: 0..<20, using: &random) == 0
          ? InstanceID.firstUnplaced + UInt64(ids.count)
          : UInt64.random(in: 0..<1000, using: &random))
      let node = graph.nodes.randomElement(using: &random)
      let name = Int.random(in: 0..<10, using: &random) == 0 ? "nobody" : node?.name ?? ""
      image.moment.instances[id] = SavedInstance(
        id: id, node: name, arguments: .object([:]), presenter: ids.randomElement(using: &random),
        place: place(ids, own: id, &random),
        selectedTab: graph.nodes.randomElement(using: &random)?.name,
        order: Int.random(in: 0..<8, using: &random) == 0
          ? .max : UInt64.random(in: 0..<100, using: &random),
        state: state(node, &random))
      ids.append(id)
    }
    return image
  }

  private func place(
    _ ids: [InstanceID], own: InstanceID, _ random: inout SplitMix64
  ) -> SavedInstance.Place {
    guard let other = ids.randomElement(using: &random) else { return .layer(over: nil) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0...4: return .above(other)
    case 5...7:
      return .tab(of: other, node: graph.nodes.randomElement(using: &random)?.name ?? "")
    case 8: return .layer(over: Bool.random(using: &random) ? other : nil)
    case 9: return .background(of: other)
    case 10: return .background(of: nil)
    // Above itself, or above an instance that comes later or never.
    default:
      return Bool.random(using: &random) ? .above(own) : .above(InstanceID(number: own.number &+ 1))
    }
  }

  private func state(_ node: Node?, _ random: inout SplitMix64) -> SavedInstance.State {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .notEncodable(reason: "it was not coded")
    case 1: .suspended(.int(1), reason: "it crashed", isWholePlugin: Bool.random(using: &random))
    case 2: Bool.random(using: &random) ? .container : .value(.null)
    default: node?.feature == nil ? .container : .value(.int(1))
    }
  }
}

/// Features whose states are restored, migrated or refused at random.
struct RandomFeatures: SessionFeatures {
  var random: SplitMix64

  mutating func restore(_ key: Int, _ saved: SavedInstance, node: Int) -> RestoreOutcome {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .madeAnew(reason: "it is another one")
    case 1: .migrated(from: "0.9.0")
    default: .kept
    }
  }

  mutating func make(_ key: Int, node: Int, arguments: Value) -> String? {
    Int.random(in: 0..<12, using: &random) == 0 ? "it refuses" : nil
  }
}
