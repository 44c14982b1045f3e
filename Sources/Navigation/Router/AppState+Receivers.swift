@_spi(Host) internal import AppCore
internal import Diagnostics

// Who gets a notification. Read before the step, so that what goes in it is known too.
extension AppState {
  /// The instances that are meant, the oldest first; none for `current`, which is known after the step
  /// only.
  func receivers(_ receiver: Receiver, from id: InstanceID) -> [InstanceID] {
    switch receiver {
    case .presenter: [instances[id]?.presenter].compactMap { $0 }
    case .opener:
      // A background instance is where its container does.
      [layer(of: instances[id]?.host ?? id).flatMap { navigation.layers[$0]?.over }]
        .compactMap { $0 }
    case .current: []
    case .node(let node): [nearest(node, from: id)].compactMap { $0 }
    case .all(let node): all(of: node).filter { $0 != id }
    }
  }

  /// The nearest instance of `node` on the way outward from `id`, else the one presented last;
  /// never `id` itself.
  ///
  /// - Complexity: constant where `node` has one instance; else O(n) in the way outward.
  private func nearest(_ node: Int, from id: InstanceID) -> InstanceID? {
    guard let last = navigation.lastOfNode[node] else { return nil }
    let fallback = last == id ? instances[last]?.previousOfNode : last
    // With one instance there is nothing to look for.
    if let fallback, instances[fallback]?.previousOfNode == nil, last == fallback { return last }
    var next = instances[id]?.host ?? outward(from: id)
    while let outer = next {
      if instances[outer]?.node == node { return outer }
      next = outward(from: outer)
    }
    return fallback
  }

  /// The instances of a node, the oldest first.
  private func all(of node: Int) -> [InstanceID] {
    var found: [InstanceID] = []
    var next = navigation.lastOfNode[node]
    while let id = next {
      found.append(id)
      next = instances[id]?.previousOfNode
    }
    return found.reversed()
  }
}

// A tab that was never selected has no instance yet that could be told something.
extension AppState {
  /// A tab that was never selected and begins with `node`, or with a container that has such a tab: of
  /// the nearest container on the way outward from `id`, else of one presented last.
  ///
  /// - Complexity: constant where `node` is not a tab; else O(n) in the way outward.
  func unmadeTab(
    leadingTo node: Int, from id: InstanceID, in graph: Graph
  ) -> (container: InstanceID, tab: Int)? {
    guard graph.containersOfTab[node] != nil, graph.nodes[node].feature != nil else { return nil }
    var tabs: [Int: Int] = [:]
    var order = [node]
    var position = 0
    while position < order.count {
      let inner = order[position]
      position += 1
      for container in graph.containersOfTab[inner] ?? [] where tabs[container] == nil {
        guard case .tabs(let targets) = graph.nodes[container].content else { continue }
        tabs[container] = targets.firstIndex { $0.node == inner }
        order.append(container)
      }
    }
    func unmade(_ id: InstanceID) -> (container: InstanceID, tab: Int)? {
      guard let instance = instances[id], let tab = tabs[instance.node],
        let stacks = instance.tabs?.stacks, stacks[tab] == nil
      else { return nil }
      return (id, tab)
    }
    var next: InstanceID? = instances[id]?.host ?? id
    while let outer = next {
      if let found = unmade(outer) { return found }
      next = outward(from: outer)
    }
    for container in order.dropFirst() {
      for id in all(of: container).reversed() {
        if let found = unmade(id) { return found }
      }
    }
    return nil
  }

  /// Makes what a tab begins with, without selecting the tab.
  mutating func makeTab(
    _ tab: Int, of container: InstanceID, change: inout Change
  ) throws(Rejection) {
    guard let root = try unmadeRoot(of: tab, of: container, change: change),
      let instance = instances[container], let selected = instance.tabs?.selected
    else { return }
    select(tab, of: container, root: root, change: &change)
    select(selected, of: container, root: nil, change: &change)
  }
}
