internal import AppCore
internal import Support

// The entering verbs. Unless a step has `ifCovered`, they apply only if the emitter is in front.
extension AppState {
  /// Puts `target` on top of the anchor's stack.
  mutating func push(
    _ target: Target, payload: Value, singleTop: Bool, _ ifCovered: IfCovered,
    change: inout Change
  ) throws(Rejection) {
    let emitter = change.anchor
    let anchor = try enteringAnchor(ifCovered, change: change)
    guard let stack = instances[anchor]?.stack else { throw .notCurrent }
    let arguments = change.factory.graph.arguments(of: target, payload: payload)
    if singleTop, let top = instances[anchor], top.node == target.node {
      if top.arguments.isSame(as: arguments) {
        uncover(emitter, ifCovered, change: &change)
        change.anchor = anchor
        return
      }
      let pending = try change.factory.instance(of: target.node, arguments)
      uncover(emitter, ifCovered, change: &change)
      let id = replaceInPlace(anchor, with: pending, change: &change)
      change.anchor = front(of: id)
      return
    }
    try checkDepth(of: target.node, on: anchor, in: stack, change: change)
    let pending = try change.factory.instance(of: target.node, arguments)
    uncover(emitter, ifCovered, change: &change)
    let id = push(pending, presenter: emitter, on: stack, change: &change)
    change.anchor = front(of: id)
  }

  /// Opens a modal with `target` over the anchor.
  mutating func present(
    _ target: Target, payload: Value, _ ifCovered: IfCovered, change: inout Change
  ) throws(Rejection) {
    let emitter = change.anchor
    let anchor = try enteringAnchor(ifCovered, change: change)
    let pending = try change.factory.instance(of: target, payload: payload)
    uncover(emitter, ifCovered, change: &change)
    if let id = open(pending, over: anchor, presenter: emitter, change: &change) {
      change.anchor = front(of: id)
    }
  }

  /// Puts `target` in the anchor's place.
  mutating func replace(
    _ target: Target, payload: Value, _ ifCovered: IfCovered, change: inout Change
  ) throws(Rejection) {
    let emitter = change.anchor
    let anchor = try enteringAnchor(ifCovered, change: change)
    guard let instance = instances[anchor], let stack = instance.stack else { throw .notCurrent }
    if instance.node != target.node {
      try checkDepth(of: target.node, on: anchor, in: stack, change: change)
    }
    let pending = try change.factory.instance(of: target, payload: payload)
    uncover(emitter, ifCovered, change: &change)
    let id = replaceInPlace(anchor, with: pending, change: &change)
    change.anchor = front(of: id)
  }

  /// Selects the tab of `node` in the nearest enclosing container that has it.
  mutating func select(
    node: Int, _ ifCovered: IfCovered, change: inout Change
  ) throws(Rejection) {
    let emitter = change.anchor
    let anchor = try enteringAnchor(ifCovered, change: change)
    guard let (container, tab) = container(withTab: node, from: anchor, in: change.factory.graph)
    else { throw .noSuchTab(node, in: change.factory.graph) }
    let root = try unmadeRoot(of: tab, of: container, change: change)
    uncover(emitter, ifCovered, change: &change)
    select(tab, of: container, root: root, change: &change)
    change.anchor = front(of: container)
  }

  /// Selects a tab for the user; rejects one that a dialog covers, since it would not be visible.
  mutating func selectVisible(node: Int, change: inout Change) throws(Rejection) {
    if let (container, _) = container(withTab: node, from: change.anchor, in: change.factory.graph),
      layer(of: container) != navigation.topLayer
    {
      throw Rejection(
        .tabsCovered, "a dialog covers the tabs; answer it, or leave it with ':back'")
    }
    try select(node: node, .refuse, change: &change)
  }

  /// Removes everything that is presented, and makes `target` the root of the app.
  mutating func reset(
    _ target: Target, payload: Value, change: inout Change
  ) throws(Rejection) {
    let pending = try change.factory.instance(of: target, payload: payload)
    if let root = navigation.rootLayer { close(downTo: root, change: &change) }
    if let id = open(pending, over: nil, presenter: nil, change: &change) {
      change.anchor = front(of: id)
    }
  }

  /// Shows the start node, and creates the background instances of the app.
  mutating func begin(_ graph: Graph, change: inout Change) throws(Rejection) {
    // An app that begins again keeps its background instances.
    let isNew = navigation.topLayer == nil
    var background: [PendingInstance] = []
    if isNew {
      for target in graph.background {
        background.append(try change.factory.instance(of: target, payload: .null))
      }
    }
    try reset(graph.start, payload: .null, change: &change)
    guard isNew else { return }
    navigation.background = background.map {
      insert($0, presenter: nil, stack: nil, below: nil, change: &change)
    }
  }

  /// The root for a tab that has no stack yet; `nil` if it has one.
  func unmadeRoot(
    of tab: Int, of container: InstanceID, change: Change
  ) throws(Rejection) -> PendingInstance? {
    guard let instance = instances[container], let tabs = instance.tabs, tabs.stacks[tab] == nil,
      case .tabs(let targets) = change.factory.graph.nodes[instance.node].content
    else { return nil }
    return try change.factory.instance(of: targets[tab], payload: instance.arguments)
  }

  /// Selects a tab of a container; if `root` is given, creates the tab's stack with it.
  mutating func select(
    _ tab: Int, of container: InstanceID, root: PendingInstance?, change: inout Change
  ) {
    if let root {
      let stack = insertStack(
        owner: .tab(of: container, tab), root: root, presenter: instances[container]?.presenter,
        change: &change)
      instances.update(container) { $0.tabs?.stacks[tab] = stack }
    }
    instances.update(container) { $0.tabs?.selected = tab }
  }

  /// The nearest ancestor that has a tab with `node`, and the index of the tab; `nil` if none has.
  func container(
    withTab node: Int, from anchor: InstanceID, in graph: Graph
  ) -> (InstanceID, Int)? {
    for id in ancestry(of: parent(of: anchor)) {
      if let instance = instances[id],
        let tab = graph.nodes[instance.node].tabs.firstIndex(where: { $0.node == node })
      {
        return (id, tab)
      }
    }
    return nil
  }

  /// The instance that an entering verb acts on.
  private func enteringAnchor(
    _ ifCovered: IfCovered, change: Change
  ) throws(Rejection) -> InstanceID {
    guard let current else { throw .notCurrent }
    if change.anchor == current { return current }
    // A background instance always acts on the current instance.
    if layer(of: change.anchor) == nil { return current }
    switch ifCovered {
    case .refuse:
      if layer(of: change.anchor) == navigation.topLayer { throw .notCurrent }
      throw Rejection(
        .notCurrent,
        "a dialog covers where it would happen; close it first with 'dismiss', or say 'ifCovered'")
    case .over: return current
    case .cut: return change.anchor
    }
  }

  /// Removes everything above `id`, and selects the tabs that lead to it, if `ifCovered` is `cut`.
  mutating func uncover(
    _ id: InstanceID, _ ifCovered: IfCovered, change: inout Change
  ) {
    guard ifCovered == .cut, layer(of: id) != nil else { return }
    if let over = instances[id]?.layerOver { close(downTo: over, change: &change) }
    var inner = id
    while let stack = instances[inner]?.stack.flatMap({ navigation.stacks[$0] }) {
      cut(inner, inclusive: false, change: &change)
      switch stack.owner {
      case .layer(let layer):
        closeLayers(above: layer, change: &change)
        return
      case .tab(let container, let tab):
        instances.update(container) { $0.tabs?.selected = tab }
        inner = container
      }
    }
  }

  mutating func closeLayers(above layer: LayerID, change: inout Change) {
    if let lowest = lowestLayer(above: layer) { close(downTo: lowest, change: &change) }
  }

  func lowestLayer(above layer: LayerID) -> LayerID? {
    var lowest: LayerID?
    var next = navigation.topLayer
    while let id = next, id != layer {
      lowest = id
      next = navigation.layers[id]?.below
    }
    return lowest
  }

  /// Throws if one more instance of `node` on `anchor` exceeds its `maxDepth`; instances above
  /// `anchor` don't count.
  func checkDepth(
    of node: Int, on anchor: InstanceID, in stack: StackID, change: Change
  ) throws(Rejection) {
    let definition = change.factory.graph.nodes[node]
    guard let limit = definition.maxDepth, let stack = navigation.stacks[stack],
      var count = stack.limitedNodes[node], count >= limit
    else { return }
    var next: InstanceID? = stack.top
    while let id = next, id != anchor {
      if instances[id]?.node == node { count -= 1 }
      next = instances[id]?.below
    }
    guard count >= limit else { return }
    let name = definition.name
    let screens = limit == 1 ? "a '\(name)' screen" : "\(limit) '\(name)' screens"
    throw Rejection(
      .maxDepth, "the stack already holds \(screens) (its maxDepth); go back first")
  }
}

extension Rejection {
  /// The emitter is not in front, so it may only leave.
  static var notCurrent: Rejection {
    Rejection(.notCurrent, "what asked for it is not in front any more")
  }

  static func noSuchTab(_ node: Int, in graph: Graph) -> Rejection {
    Rejection(.noSuchTab, "nothing here has a tab '\(graph.nodes[node].name)'")
  }
}
