@_spi(Host) internal import AppCore
internal import Support

// The receivers of notifications. They are looked up before the step, which may remove the emitter.
extension AppState {
  /// The receivers, oldest first; empty for `current`, which is known only after the step.
  func receivers(_ receiver: Receiver, from id: InstanceID) -> [InstanceID] {
    switch receiver {
    case .presenter: [instances[id]?.presenter].compactMap { $0 }
    case .opener:
      // A background instance has the opener of its container.
      [layer(of: instances[id]?.host ?? id).flatMap { navigation.layers[$0]?.over }]
        .compactMap { $0 }
    case .current: []
    case .node(let node): [nearest(node, from: id)].compactMap { $0 }
    case .all(let node): latest(of: node).reversed().filter { $0 != id }
    }
  }

  /// The nearest ancestor of `id` that is an instance of `node`, else the instance presented last;
  /// never `id` itself.
  ///
  /// - Complexity: O(1) if `node` has one instance; otherwise O(*n*), where *n* is the number of
  ///   ancestors.
  private func nearest(_ node: Int, from id: InstanceID) -> InstanceID? {
    guard let last = navigation.lastOfNode[node] else { return nil }
    let fallback = last == id ? instances[last]?.previousOfNode : last
    // A single instance needs no search.
    if let fallback, instances[fallback]?.previousOfNode == nil, last == fallback { return last }
    let outer = instances[id]?.host ?? parent(of: id)
    return ancestry(of: outer).first { instances[$0]?.node == node } ?? fallback
  }
}

// A tab that was never selected has no instance yet that could receive a notification.
extension AppState {
  /// A tab without instances whose root is `node`, or a container with such a tab; `nil` if there
  /// is none.
  ///
  /// The nearest ancestor of `id` with such a tab is preferred, else the container presented last.
  /// - Complexity: O(1) if `node` is not a tab; otherwise O(*n*), where *n* is the number of
  ///   ancestors and of containers.
  func unmadeTab(
    leadingTo node: Int, from id: InstanceID, in graph: Graph
  ) -> (container: InstanceID, tab: Int)? {
    guard graph.containersOfTab[node] != nil, graph.nodes[node].feature != nil else { return nil }
    let (tabs, order) = tabs(leadingTo: node, in: graph)
    func unmade(_ id: InstanceID) -> (container: InstanceID, tab: Int)? {
      guard let instance = instances[id], let tab = tabs[instance.node],
        let stacks = instance.tabs?.stacks, stacks[tab] == nil
      else { return nil }
      return (id, tab)
    }
    for outer in ancestry(of: instances[id]?.host ?? id) {
      if let found = unmade(outer) { return found }
    }
    for container in order {
      for id in latest(of: container) {
        if let found = unmade(id) { return found }
      }
    }
    return nil
  }

  /// The containers with a tab that leads to `node`, innermost first, and the tab of each.
  private func tabs(
    leadingTo node: Int, in graph: Graph
  ) -> (tabs: [Int: Int], containers: [Int]) {
    var tabs: [Int: Int] = [:]
    var order = [node]
    var position = 0
    while position < order.count {
      let inner = order[position]
      position += 1
      for container in graph.containersOfTab[inner] ?? [] where tabs[container] == nil {
        tabs[container] = graph.nodes[container].tabs.firstIndex { $0.node == inner }
        order.append(container)
      }
    }
    return (tabs, Array(order.dropFirst()))
  }

  /// Follows the tabs that lead from a tab to `node`.
  ///
  /// - Returns: the instance of `node` that is the root of the last one, or the first one without
  ///   instances; neither if they have other roots.
  func way(
    in outermost: (container: InstanceID, tab: Int), leadingTo node: Int, in graph: Graph
  ) -> (root: InstanceID?, unmade: (container: InstanceID, tab: Int)?) {
    let tabs = tabs(leadingTo: node, in: graph).tabs
    var (container, tab) = outermost
    while let stacks = instances[container]?.tabs?.stacks {
      guard let stack = stacks[tab] else { return (nil, (container, tab)) }
      guard let root = navigation.stacks[stack]?.root, let inner = instances[root]?.node else {
        break
      }
      if inner == node { return (root, nil) }
      guard let next = tabs[inner] else { break }
      (container, tab) = (root, next)
    }
    return (nil, nil)
  }

  /// Creates the root of a tab without selecting the tab.
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
