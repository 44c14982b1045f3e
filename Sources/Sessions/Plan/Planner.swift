internal import AppCore
package import Navigation

extension SessionPlan {
  /// Plans how to restore an app.
  ///
  /// - Parameters:
  ///   - image: the image of the app that was running.
  ///   - graph: the graph of the current manifest.
  ///   - features: decides about the states of features.
  /// - Returns: the plan.
  /// - Throws: ``StartFailure`` if nothing can be restored, and `start` can't be created either.
  /// - Complexity: O(*n* log *n*), where *n* is the number of instances in the image.
  package static func make<Features: SessionFeatures>(
    of image: SessionImage, in graph: Graph, _ features: inout Features
  ) throws(StartFailure) -> SessionPlan {
    var planner = Planner(image: image, graph: graph, features: features)
    defer { features = planner.features }
    return try planner.plan()
  }

  /// The error if the manifest's `start` can't be created.
  package struct StartFailure: Error, Hashable, Sendable {
    package let reason: String
  }
}

/// Plans the restoration of an image's instances, from the root outwards.
///
/// Only containers in tabs of containers are handled recursively, at most ``containerLimit`` deep.
struct Planner<Features: SessionFeatures> {
  static var containerLimit: Int { 32 }

  let image: SessionImage
  let graph: Graph
  var features: Features
  let names: NodeNames
  /// The features in the image, by the names of their nodes.
  let formerFeatures: [String: SavedInstance.FeatureVersion]
  /// The saved instances directly on or in each saved instance, in the order of presentation.
  var children: [UInt64: [SavedInstance]] = [:]
  /// The saved instances that are on or in no other one.
  var roots: [SavedInstance] = []
  /// The fates that have been decided, by the instances' numbers in the image.
  var fates: [UInt64: SessionPlan.Fate] = [:]
  /// The instances that were placed; ``sources``, ``isHidden`` and ``keys`` describe the same ones.
  var entries: [Layout.Entry] = []
  /// The number in the image of each entry; `nil` for a new instance.
  var sources: [UInt64?] = []
  /// Whether each entry is in the background, where no layer can be over it.
  var isHidden: [Bool] = []
  /// The key by which ``features`` identifies each entry; `nil` for a container.
  var keys: [Int?] = []
  var keyCount = 0
  /// How many instances each stack has of each node with a `maxDepth`.
  var limited: [StackNode: Int] = [:]
  /// The saved instances to place next: each with the entry below it and that of its stack's root.
  var waiting: [(saved: SavedInstance, below: Int, stack: Int)] = []
  var lastOrder: UInt64 = 0

  /// A node in a stack, which is identified by the entry of its root.
  struct StackNode: Hashable {
    let stack: Int
    let node: Int
  }

  init(image: SessionImage, graph: Graph, features: Features) {
    self.image = image
    self.graph = graph
    self.features = features
    names = NodeNames(graph)
    formerFeatures = image.identity.featureVersions
  }

  mutating func plan() throws(SessionPlan.StartFailure) -> SessionPlan {
    // Left-over instances come last, because live ones have precedence if both want the same place.
    let sorted = image.instances.values.sorted {
      ($0.isLeftOver ? 1 : 0, $0.order, $0.id) < ($1.isLeftOver ? 1 : 0, $1.order, $1.id)
    }
    lastOrder = sorted.map(\.order).max() ?? 0
    for saved in sorted {
      if let parent = saved.parent {
        children[parent, default: []].append(saved)
      } else {
        roots.append(saved)
      }
    }
    let startsAnew = try placeLayers()
    placeAppBackground()
    for saved in sorted where fates[saved.id] == nil {
      fates[saved.id] = .dropped(reason: saved.isLeftOver ? Reason.taken : Reason.nowhere)
    }
    linkPresenters()
    return SessionPlan(
      entries: sorted.map { saved in
        SessionPlan.Entry(
          id: saved.id, node: saved.node,
          newNode: names.index(of: saved.node).map { graph.nodes[$0].name },
          fate: fates[saved.id] ?? .dropped(reason: Reason.nowhere))
      }, startsAnew: startsAnew, layout: Layout(entries), ids: sources, keys: keys)
  }

  /// Places the root layer and the layers over it, as far as they can be restored.
  ///
  /// - Returns: whether nothing was restored, so that the root layer is a new instance of `start`.
  /// - Throws: an error if `start` can't be created.
  mutating func placeLayers() throws(SessionPlan.StartFailure) -> Bool {
    var layer = roots.first { $0.place == .layer(over: nil) }
    var place = Layout.Place.layer(over: nil)
    var isFirst = true
    var startsAnew = false
    while let root = layer {
      let first = entries.count
      guard let entry = self.place(root, place, stack: nil, containers: 0) else {
        dropAll(on: root)
        if isFirst { break }
        return false
      }
      placeStacks(from: entry, root)
      isFirst = false
      // The next layer is over one of the instances that were just placed.
      layer = nil
      for index in first..<entries.count {
        guard !isHidden[index], let id = sources[index],
          let over = children[id]?.first(where: { $0.place == .layer(over: id) })
        else { continue }
        (layer, place) = (over, .layer(over: index))
        break
      }
    }
    if isFirst {
      startsAnew = true
      let arguments = graph.arguments(of: graph.start, payload: .null)
      if let reason = makeAnew(
        graph.start.node, arguments, .layer(over: nil), containers: 0)
      {
        throw SessionPlan.StartFailure(reason: reason)
      }
    }
    return startsAnew
  }

  /// Places the saved instances above one that was placed, and above those in its tabs.
  mutating func placeStacks(from entry: Int, _ saved: SavedInstance) {
    wait(on: entry, saved, stack: entry)
    placeWaiting()
  }

  /// Places all waiting instances, and those above them.
  mutating func placeWaiting() {
    while let (saved, below, stack) = waiting.popLast() {
      guard let entry = place(saved, .above(below), stack: stack, containers: 0) else {
        dropAll(on: saved)
        continue
      }
      wait(on: entry, saved, stack: stack)
    }
  }

  /// Adds the saved instance above `saved`, if there is one, to those that wait.
  mutating func wait(on entry: Int, _ saved: SavedInstance, stack: Int) {
    guard let above = children[saved.id]?.first(where: { $0.place == .above(saved.id) }) else {
      return
    }
    waiting.append((above, entry, stack))
  }

  /// Places one saved instance; of a container, with its tabs and background.
  ///
  /// - Parameters:
  ///   - saved: the saved instance.
  ///   - place: its new position.
  ///   - stack: the entry of its stack's root; `nil` for an instance that is the root itself.
  ///   - containers: how many containers it is nested in.
  /// - Returns: the index of its entry; `nil` if it is dropped.
  mutating func place(
    _ saved: SavedInstance, _ place: Layout.Place, stack: Int?, containers: Int
  ) -> Int? {
    guard fates[saved.id] == nil else { return nil }
    guard let node = names.index(of: saved.node) else {
      return drop(saved, Reason.noNode(saved.node))
    }
    let index = entries.count
    if let limit = graph.nodes[node].maxDepth {
      let key = StackNode(stack: stack ?? index, node: node)
      guard limited[key, default: 0] < limit else {
        return drop(saved, Reason.maxDepth(graph.nodes[node].name, limit))
      }
    }
    let fate: SessionPlan.Fate
    var key: Int?
    switch graph.nodes[node].content {
    case .feature:
      key = nextKey()
      fate = decide(saved, node: node, key: keyCount)
    case .tabs:
      guard containers < Self.containerLimit else {
        return drop(saved, Reason.containers(Self.containerLimit))
      }
      fate =
        saved.state == .container
        ? .kept : .madeAnew(reason: Reason.isContainer(graph.nodes[node].name))
    }
    if case .dropped(let reason) = fate { return drop(saved, reason) }
    let origin: Layout.Origin = if case .madeAnew = fate { .made } else { .restored }
    append(
      Layout.Entry(
        node: node, arguments: saved.arguments, place: place, origin: origin, order: saved.order),
      from: saved.id, key, stack: stack)
    fates[saved.id] = fate
    if case .tabs(let tabs) = graph.nodes[node].content,
      let reason = placeTabs(tabs, of: index, saved, containers)
    {
      // The container is dropped with all that was placed in it.
      for id in sources[index...].compactMap({ $0 }) { fates[id] = .dropped(reason: reason) }
      removeEntries(from: index)
      if let stack { limited[StackNode(stack: stack, node: node), default: 1] -= 1 }
      return nil
    }
    return index
  }

  /// Decides the fate of a feature's instance: it is restored, or else made anew, or else dropped.
  mutating func decide(
    _ saved: SavedInstance, node: Int, key: Int
  ) -> SessionPlan.Fate {
    let reason: String
    switch saved.state {
    case .value, .suspended:
      let former = (saved.encodedBy ?? formerFeatures[saved.node])?.feature
      guard let former, former == graph.nodes[node].feature else {
        reason = Reason.otherFeature(graph.nodes[node].feature ?? "", former)
        break
      }
      switch features.restore(key, saved, node: node) {
      case .kept: return .kept
      case .migrated(let version): return .migrated(from: version)
      case .unknown(let why): return .unknown(reason: why)
      case .failed(let why): reason = why
      }
    case .notEncodable(let why): reason = Reason.notEncodable(why)
    case .container: reason = Reason.wasContainer(saved.node)
    }
    guard let failure = features.make(key, node: node, arguments: saved.arguments) else {
      return .madeAnew(reason: reason)
    }
    return .dropped(reason: "\(reason), and it can't be made anew: \(failure)")
  }

  mutating func placeAppBackground() {
    placeBackground(graph.background, of: nil, roots, 0)
    // Instances above those in the tabs of background containers.
    placeWaiting()
  }

  mutating func nextKey() -> Int {
    keyCount += 1
    return keyCount
  }

  /// Removes all entries from an index on, with everything that refers to them.
  mutating func removeEntries(from index: Int) {
    entries.removeSubrange(index...)
    sources.removeSubrange(index...)
    isHidden.removeSubrange(index...)
    keys.removeSubrange(index...)
    waiting.removeAll { $0.below >= index }
    limited = limited.filter { $0.key.stack < index }
  }

  mutating func append(
    _ entry: Layout.Entry, from id: UInt64?, _ key: Int?, stack: Int?
  ) {
    if graph.nodes[entry.node].maxDepth != nil {
      limited[StackNode(stack: stack ?? entries.count, node: entry.node), default: 0] += 1
    }
    entries.append(entry)
    sources.append(id)
    let hidden =
      switch entry.place {
      case .above(let outer), .tab(let outer, _): isHidden[outer]
      case .layer: false
      case .background: true
      }
    isHidden.append(hidden)
    keys.append(key)
  }

  @discardableResult
  mutating func drop(_ saved: SavedInstance, _ reason: String) -> Int? {
    fates[saved.id] = .dropped(reason: reason)
    return nil
  }

  /// Drops everything on or in an instance that is not restored, unless its fate is decided.
  mutating func dropAll(on saved: SavedInstance) {
    var pending = children[saved.id] ?? []
    var seen: Set<UInt64> = [saved.id]
    while let next = pending.popLast() {
      guard seen.insert(next.id).inserted else { continue }
      if fates[next.id] == nil { drop(next, Reason.stoodOn(saved.node)) }
      pending += children[next.id] ?? []
    }
  }

  /// Sets the presenter of each entry to the entry of the instance that presented it.
  mutating func linkPresenters() {
    var positions: [UInt64: Int] = [:]
    for (index, id) in sources.enumerated() { if let id { positions[id] = index } }
    for (index, id) in sources.enumerated() {
      guard let id, let presenter = image.instances[id]?.presenter else { continue }
      entries[index].presenter = positions[presenter]
    }
  }
}

/// The nodes of a graph, by their current and former names.
struct NodeNames {
  private var indexes: [String: Int] = [:]

  init(_ graph: Graph) {
    for index in graph.presentNodes {
      for name in graph.nodes[index].formerNames where indexes[name] == nil {
        indexes[name] = index
      }
    }
    // A node's current name has precedence over another node's former name.
    for index in graph.presentNodes { indexes[graph.nodes[index].name] = index }
  }

  /// The index of the node whose current or former name is `name`; `nil` if there is none.
  func index(of name: String) -> Int? { indexes[name] }
}
