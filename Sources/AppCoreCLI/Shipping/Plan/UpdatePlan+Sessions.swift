internal import AppCheck
internal import AppCore
internal import Navigation
internal import Sessions

extension UpdatePlan {
  /// A prediction of which nodes' instances keep their state when running sessions are updated: the
  /// old version's nodes in their order, each with the worst outcome that an instance can have.
  ///
  /// It is based on names, versions and the shapes of states that scans found, since no code of the
  /// new version is run: whether another version of a plugin can read a state is unknown.
  static func outcomes(from old: ManifestReport, to new: ManifestReport) -> [Outcome] {
    guard let before = old.graph, let after = new.graph else { return [] }
    let identity = SessionIdentity(
      app: before.name, manifest: old.path,
      plugins: old.plugins.members.values.map {
        SessionIdentity.Plugin(name: $0.info.name, version: $0.info.version, digest: "")
      },
      nodes: before.nodes.map { SessionIdentity.Node(name: $0.name, feature: $0.feature) })
    let versions = new.plugins.members.mapValues(\.info.version)
    var worst: [String: SessionPlan.Entry] = [:]
    for image in images(of: before, identity) {
      var features = StateCompatibility(
        identity: identity, versions: versions, hasSameState: { new.hasSameState($0, as: old) })
      guard let plan = try? SessionPlan.make(of: image, in: after, &features) else { continue }
      for entry in plan.entries where entry.outcome.weight > worst[entry.node]?.outcome.weight ?? -1
      {
        worst[entry.node] = entry
      }
    }
    return before.nodes.compactMap { node in
      guard let entry = worst[node.name] else { return nil }
      let current = entry.newNode.flatMap { after.index(of: $0) }.map { after.nodes[$0] }
      guard !entry.outcome.isLoss, let limit = current?.maxDepth, limit < node.maxDepth ?? .max
      else {
        return (node.name, entry.newNode, entry.outcome)
      }
      return (
        node.name, entry.newNode,
        .dropped(reason: "a stack may hold only \(limit) of it now (its maxDepth)")
      )
    }
  }

  /// Images which together have an instance in each place of an app: one for each node alone, one
  /// for each container with its tabs and background, and one for the app's background.
  private static func images(of graph: Graph, _ identity: SessionIdentity) -> [SessionImage] {
    typealias Places = [(node: Int, place: SavedInstance.Place)]
    func image(_ places: Places) -> SessionImage {
      let instances = zip(UInt64(1)..., places).map { number, place in
        let node = graph.nodes[place.node]
        return SavedInstance(
          id: InstanceID(number: number), node: node.name, arguments: .null, place: place.place,
          order: number, state: node.feature == nil ? .container : .value(.null))
      }
      return SessionImage(identity: identity, AppMoment(instances))
    }
    var images = graph.nodes.indices.map { image([($0, .layer(over: nil))]) }
    for index in graph.nodes.indices {
      guard case .tabs(let tabs) = graph.nodes[index].content else { continue }
      var places: Places = [(index, .layer(over: nil))]
      let container = InstanceID(number: 1)
      for tab in tabs {
        places.append((tab.node, .tab(of: container, node: graph.nodes[tab.node].name)))
      }
      for target in graph.nodes[index].background {
        places.append((target.node, .background(of: container)))
      }
      images.append(image(places))
    }
    images.append(image(graph.background.map { ($0.node, .background(of: nil)) }))
    return images
  }
}

extension RestoreOutcome {
  /// How much is lost: greater for worse outcomes.
  fileprivate var weight: Int {
    switch self {
    case .kept: 0
    case .migrated: 1
    case .unknown: 2
    case .madeAnew: 3
    case .dropped: 4
    }
  }
}
