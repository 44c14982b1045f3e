internal import AppCore
package import Navigation

extension SessionPlan {
  /// Plans how to restore an app.
  ///
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
  static var tooNested: String { "containers nest deeper than \(containerLimit)" }

  let image: SessionImage
  let graph: Graph
  var features: Features
  /// The indexes of the graph's nodes, by their current and former names.
  let names: [String: Int]
  /// The features in the image, by the names of their nodes.
  let formerFeatures: [String: SavedInstance.FeatureVersion]
  /// The saved instances directly on or in each saved instance, in the order of presentation.
  var children: [InstanceID: [SavedInstance]] = [:]
  var roots: [SavedInstance] = []
  /// The outcomes that have been decided, by the instances in the image.
  var outcomes: [InstanceID: RestoreOutcome] = [:]
  /// The instances that were placed, with what the layout does not say of them.
  var entries: [Layout.Entry] = []
  var sources: [Source] = []
  var keyCount = 0
  /// How many instances each stack, which is identified by the entry of its root, has of each node
  /// with a `maxDepth`.
  var limited: [Int: [Int: Int]] = [:]
  /// The placed instances that others were above: each with its entry and that of its stack's root.
  var waiting: [(saved: SavedInstance, entry: Int, stack: Int)] = []
  var lastOrder: UInt64 = 0

  /// The instance in the image of an entry, `nil` for a new one; whether it is in the background, where
  /// no layer can be over it; and the key by which the features identify it, `nil` for a container.
  typealias Source = (id: InstanceID?, isHidden: Bool, key: Int?)

  init(image: SessionImage, graph: Graph, features: Features) {
    self.image = image
    self.graph = graph
    self.features = features
    names = Self.names(of: graph)
    formerFeatures = image.identity.featureVersions
  }

  private static func names(of graph: Graph) -> [String: Int] {
    var indexes: [String: Int] = [:]
    for index in graph.presentNodes {
      for name in graph.nodes[index].formerNames where indexes[name] == nil {
        indexes[name] = index
      }
    }
    // A node's current name has precedence over another node's former name.
    for index in graph.presentNodes { indexes[graph.nodes[index].name] = index }
    return indexes
  }

  mutating func plan() throws(SessionPlan.StartFailure) -> SessionPlan {
    // Unplaced instances come last, because live ones have precedence if both want the same place.
    let sorted = image.moment.instances.values.map { ($0.id.isUnplaced ? 1 : 0, $0.order, $0.id) }
      .sorted(by: <).compactMap { image.moment.instances[$0.2] }
    lastOrder = sorted.map(\.order).max() ?? 0
    for saved in sorted {
      if let parent = saved.parent {
        children[parent, default: []].append(saved)
      } else {
        roots.append(saved)
      }
    }
    let startsAnew = try placeLayers()
    placeBackground(graph.background, of: nil, roots, 0)
    // Instances above those in the tabs of background containers.
    placeWaiting()
    for saved in sorted where outcomes[saved.id] == nil {
      drop(
        saved,
        saved.id.isUnplaced ? "another one has taken its place" : RestoreOutcome.unknownPlace)
    }
    linkPresenters()
    return SessionPlan(
      entries: sorted.map { saved in
        SessionPlan.Entry(
          id: saved.id, node: saved.node,
          newNode: names[saved.node].map { graph.nodes[$0].name },
          outcome: outcomes[saved.id] ?? .dropped(reason: RestoreOutcome.unknownPlace))
      }, startsAnew: startsAnew, layout: Layout(entries), ids: sources.map(\.id),
      keys: sources.map(\.key))
  }

  /// Places the root layer and the layers over it, as far as they can be restored.
  ///
  /// - Returns: whether nothing was restored, so that the root layer is a new instance of `start`.
  /// - Throws: an error if `start` can't be created.
  mutating func placeLayers() throws(SessionPlan.StartFailure) -> Bool {
    var first = 0
    var candidates = roots.filter { $0.place == .layer(over: nil) }
      .map { ($0, Layout.Place.layer(over: nil)) }
    while let (root, entry) = placeFirst(of: candidates, stack: nil) {
      // Above it, and above the instances in its tabs.
      wait(on: entry, root, stack: entry)
      placeWaiting()
      // The next layer is over one of the instances that were just placed; one that was open has
      // precedence.
      let over = (first..<entries.count).flatMap { layers(over: $0) }
      candidates = over.filter { !$0.0.id.isUnplaced } + over.filter { $0.0.id.isUnplaced }
      first = entries.count
    }
    guard entries.isEmpty else { return false }
    let arguments = graph.arguments(of: graph.start, payload: .null)
    if let reason = makeAnew(graph.start.node, arguments, .layer(over: nil), containers: 0) {
      throw SessionPlan.StartFailure(reason: reason)
    }
    return true
  }

  /// The roots of saved layers over an entry, and their places.
  func layers(over entry: Int) -> [(SavedInstance, Layout.Place)] {
    guard !sources[entry].isHidden, let id = sources[entry].id else { return [] }
    return (children[id] ?? []).filter { $0.place == .layer(over: id) }
      .map { ($0, .layer(over: entry)) }
  }

  /// Places what was above the waiting instances, and above that.
  mutating func placeWaiting() {
    while let (saved, entry, stack) = waiting.popLast() {
      let above = (children[saved.id] ?? []).filter { $0.place == .above(saved.id) }
        .map { ($0, Layout.Place.above(entry)) }
      if let (next, entry) = placeFirst(of: above, stack: stack) {
        wait(on: entry, next, stack: stack)
      }
    }
  }

  mutating func wait(on entry: Int, _ saved: SavedInstance, stack: Int) {
    if children[saved.id] != nil { waiting.append((saved, entry, stack)) }
  }

  /// Places the first of the candidates for one place that can be restored.
  ///
  /// The result is the candidate with its entry; `nil` if none can be restored.
  mutating func placeFirst(
    of candidates: [(SavedInstance, Layout.Place)], stack: Int?
  ) -> (SavedInstance, entry: Int)? {
    for (saved, place) in candidates {
      if let entry = self.place(saved, place, stack: stack, containers: 0) { return (saved, entry) }
      dropAll(on: saved)
    }
    return nil
  }

  /// Places one saved instance; of a container, with its tabs and background.
  ///
  /// `stack` is the entry of its stack's root, `nil` for an instance that is the root itself, and
  /// `containers` how many containers it is nested in. The result is the index of its entry; `nil` if
  /// it is dropped.
  mutating func place(
    _ saved: SavedInstance, _ place: Layout.Place, stack: Int?, containers: Int
  ) -> Int? {
    guard outcomes[saved.id] == nil else { return nil }
    guard let node = names[saved.node] else {
      return drop(
        saved,
        "the manifest has no node '\(saved.node)'; where it was renamed, 'was: \(saved.node)' says so"
      )
    }
    let index = entries.count
    if let limit = graph.nodes[node].maxDepth, limited[stack ?? index]?[node] ?? 0 >= limit {
      return drop(
        saved, "the stack already holds \(limit) '\(graph.nodes[node].name)' (its maxDepth)")
    }
    let outcome: RestoreOutcome
    var key: Int?
    switch graph.nodes[node].content {
    case .feature:
      key = nextKey()
      outcome = decide(saved, node: node, key: keyCount)
    case .tabs:
      guard containers < Self.containerLimit else {
        return drop(saved, Self.tooNested)
      }
      let reason = "'\(graph.nodes[node].name)' is a container now"
      outcome =
        saved.state == .container
        ? .kept : saved.id.isUnplaced ? .dropped(reason: reason) : .madeAnew(reason: reason)
    }
    if case .dropped(let reason) = outcome { return drop(saved, reason) }
    let origin: Layout.Origin = if case .madeAnew = outcome { .made } else { .restored }
    append(
      Layout.Entry(
        node: node, arguments: saved.arguments, place: place, origin: origin, order: saved.order),
      from: saved.id, key, stack: stack)
    outcomes[saved.id] = outcome
    if case .tabs(let tabs) = graph.nodes[node].content,
      let reason = placeTabs(tabs, of: index, saved, containers)
    {
      // The container is dropped with all that was placed in it.
      for id in sources[index...].compactMap(\.id) { outcomes[id] = .dropped(reason: reason) }
      removeEntries(from: index)
      if let stack { limited[stack]?[node, default: 1] -= 1 }
      return nil
    }
    return index
  }

  /// Decides about a feature's instance: it is restored, or else made anew, or else dropped; one that
  /// was unplaced is not made anew.
  mutating func decide(_ saved: SavedInstance, node: Int, key: Int) -> RestoreOutcome {
    let reason: String
    switch saved.state {
    case .value, .suspended:
      let former = (saved.encodedBy ?? formerFeatures[saved.node])?.feature
      guard let former, former == graph.nodes[node].feature else {
        reason =
          "its node shows '\(graph.nodes[node].feature ?? "")' now"
          + (former.map { ", and showed '\($0)'" } ?? "")
        break
      }
      let outcome = features.restore(key, saved, node: node)
      guard case .madeAnew(let why) = outcome else { return outcome }
      reason = why
    case .notEncodable(let why): reason = "its state could not be saved: \(why)"
    case .container: reason = "'\(saved.node)' was a container"
    }
    // It stays unplaced, with its state, until that can be read.
    guard !saved.id.isUnplaced else { return .dropped(reason: reason) }
    guard let failure = features.make(key, node: node, arguments: saved.arguments) else {
      return .madeAnew(reason: reason)
    }
    return .dropped(reason: "\(reason), and it can't be made anew: \(failure)")
  }

  mutating func nextKey() -> Int {
    keyCount += 1
    return keyCount
  }

  /// Removes all entries from an index on, with everything that refers to them.
  mutating func removeEntries(from index: Int) {
    entries.removeSubrange(index...)
    sources.removeSubrange(index...)
    waiting.removeAll { $0.entry >= index }
    limited = limited.filter { $0.key < index }
  }

  mutating func append(
    _ entry: Layout.Entry, from id: InstanceID?, _ key: Int?, stack: Int?
  ) {
    if graph.nodes[entry.node].maxDepth != nil {
      limited[stack ?? entries.count, default: [:]][entry.node, default: 0] += 1
    }
    entries.append(entry)
    let isHidden =
      switch entry.place {
      case .above(let outer), .tab(let outer, _): sources[outer].isHidden
      case .layer: false
      case .background: true
      }
    sources.append((id, isHidden, key))
  }

  @discardableResult
  mutating func drop(_ saved: SavedInstance, _ reason: String) -> Int? {
    outcomes[saved.id] = .dropped(reason: reason)
    return nil
  }

  /// Drops everything on or in an instance that is not restored, unless that is decided.
  mutating func dropAll(on saved: SavedInstance) {
    var pending = children[saved.id] ?? []
    var seen: Set<InstanceID> = [saved.id]
    while let next = pending.popLast() {
      guard seen.insert(next.id).inserted else { continue }
      if outcomes[next.id] == nil {
        drop(next, "it stood on '\(saved.node)', which does not come back")
      }
      pending += children[next.id] ?? []
    }
  }

  /// Sets the presenter of each entry to the entry of the instance that presented it.
  mutating func linkPresenters() {
    var positions: [InstanceID: Int] = [:]
    for (index, source) in sources.enumerated() { if let id = source.id { positions[id] = index } }
    for (index, source) in sources.enumerated() {
      let presenter = source.id.flatMap { image.moment.instances[$0]?.presenter }
      entries[index].presenter = presenter.flatMap { positions[$0] }
    }
  }
}
