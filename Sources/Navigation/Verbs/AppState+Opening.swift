internal import AppCore
internal import Support

// Opening a link or a position: the matching prefix is kept, the rest is created.
extension AppState {
  /// Shows the target of `plan`, and nothing on top of it.
  ///
  /// All modals are closed. The longest matching prefix keeps its instances: those of the same node
  /// with the same arguments, or the existing instance that the link needs.
  /// - Complexity: O(*n* + *m*), where *n* is the number of steps and *m* the size of the stacks
  ///   that they touch.
  mutating func open(_ plan: LinkPlan, change: inout Change) throws(Rejection) {
    if let root = navigation.rootLayer { closeLayers(above: root, change: &change) }
    var walk = OpeningWalk()
    let rest = try begin(plan, &walk, change: &change)
    for step in rest { try take(step, &walk, change: &change) }
    let front = try descend(&walk, change: &change)
    cut(front, inclusive: false, change: &change)
    change.anchor = self.front(of: front)
  }

  /// Takes the first step, or all steps up to the existing instance that the link needs.
  ///
  /// - Returns: the remaining steps.
  private mutating func begin(
    _ plan: LinkPlan, _ walk: inout OpeningWalk, change: inout Change
  ) throws(Rejection) -> ArraySlice<LinkPlan.Step> {
    if let index = plan.steps.firstIndex(where: \.isLiving),
      case .push(let node, _, _) = plan.steps[index],
      !isBegun(plan.steps[...index], change.factory.graph), let id = living(node)
    {
      // It is not where the steps would put it, and stays where it is.
      uncover(id, .cut, change: &change)
      walk.place = id
      return plan.steps[(index + 1)...]
    }
    guard case .push(let node, let arguments, let isLiving)? = plan.steps.first else {
      throw .unavailable(node: plan.address, reason: "it begins with nothing that can be shown")
    }
    if let root, let instance = instances[root], instance.node == node,
      isLiving || instance.arguments.isSame(as: arguments)
    {
      walk.place = root
    } else {
      let blueprint = try change.factory.blueprint(node: node, arguments: arguments)
      if let root = navigation.rootLayer { close(downTo: root, change: &change) }
      walk.place = open(blueprint, over: nil, presenter: nil, change: &change)
    }
    return plan.steps.dropFirst()
  }

  /// Whether these steps lead to instances that already exist in the place that the steps describe.
  private func isBegun(_ steps: ArraySlice<LinkPlan.Step>, _ graph: Graph) -> Bool {
    var place = root
    for (index, step) in steps.enumerated() {
      switch step {
      case .push(let node, let arguments, let isLiving):
        if index > 0 { place = place.flatMap { firstRoot(in: $0, graph) }.flatMap { above($0) } }
        guard let id = place, let instance = instances[id], instance.node == node,
          isLiving || instance.arguments.isSame(as: arguments)
        else { return false }
      case .select(let node):
        place = place.flatMap { firstRoot(in: $0, graph) }
          .flatMap { container(withTab: node, from: $0, in: graph) }
          .flatMap { root(ofTab: $1, of: $0, graph) }
      case .present, .root: return false
      }
    }
    return true
  }

  /// The instance of `node` for a link that needs one: the current instance or its nearest
  /// ancestor, else the one in a layer that was presented last.
  private func living(_ node: Int) -> InstanceID? {
    var next = current
    while let id = next {
      if instances[id]?.node == node { return id }
      next = parent(of: id)
    }
    next = navigation.lastOfNode[node]
    while let id = next {
      if layer(of: id) != nil { return id }
      next = instances[id]?.previousOfNode
    }
    return nil
  }

  private mutating func take(
    _ step: LinkPlan.Step, _ walk: inout OpeningWalk, change: inout Change
  ) throws(Rejection) {
    let front = try descend(&walk, change: &change, isContainerMeant: step.isRoot)
    switch step {
    case .push(let node, let arguments, let isLiving):
      guard let stack = instances[front]?.stack else { throw .notCurrent }
      if let next = walk.above(front, in: self), let instance = instances[next],
        instance.node == node, isLiving || instance.arguments.isSame(as: arguments)
      {
        return walk.keep(next)
      }
      cut(front, inclusive: false, change: &change)
      try checkDepth(of: node, on: front, in: stack, change: change)
      let blueprint = try change.factory.blueprint(node: node, arguments: arguments)
      walk.push(push(blueprint, presenter: front, on: stack, change: &change))
    case .present(let node, let arguments):
      let blueprint = try change.factory.blueprint(node: node, arguments: arguments)
      cut(front, inclusive: false, change: &change)
      walk.place = open(blueprint, over: front, presenter: front, change: &change)
    case .select(let node):
      guard let (container, tab) = container(withTab: node, from: front, in: change.factory.graph)
      else { throw .noSuchTab(change.factory.graph.nodes[node].name) }
      walk.place = try selectOwn(tab, of: container, change: &change)
    case .root(let node, let arguments, let tabNode):
      guard let instance = instances[front],
        case .tabs(let tabs) = change.factory.graph.nodes[instance.node].content,
        let tab = tabs.firstIndex(where: { $0.node == tabNode })
      else { throw .noSuchTab(change.factory.graph.nodes[tabNode].name) }
      let root = try select(tab, ofKept: front, change: &change)
      walk.place = root
      if let there = instances[root], there.node != node || !there.arguments.isSame(as: arguments) {
        let blueprint = try change.factory.blueprint(node: node, arguments: arguments)
        cut(root, inclusive: false, change: &change)
        walk.place = replaceInPlace(root, with: blueprint, change: &change)
      }
    }
  }

  /// Descends from the place of the walk through the first tabs of containers, which are what a new
  /// container shows.
  private mutating func descend(
    _ walk: inout OpeningWalk, change: inout Change, isContainerMeant: Bool = false
  ) throws(Rejection) -> InstanceID {
    guard var id = walk.place else { throw .notCurrent }
    while !isContainerMeant, instances[id]?.tabs != nil {
      id = try selectOwn(0, of: id, change: &change)
      walk.place = id
    }
    return id
  }

  /// Selects a tab of a container, and restores the tab's own root if a route has replaced it.
  ///
  /// - Returns: the tab's root.
  private mutating func selectOwn(
    _ tab: Int, of container: InstanceID, change: inout Change
  ) throws(Rejection) -> InstanceID {
    let there = try select(tab, ofKept: container, change: &change)
    guard root(ofTab: tab, of: container, change.factory.graph) == nil,
      let (target, arguments) = beginning(ofTab: tab, of: container, change.factory.graph)
    else { return there }
    let blueprint = try change.factory.blueprint(node: target.node, arguments: arguments)
    cut(there, inclusive: false, change: &change)
    return replaceInPlace(there, with: blueprint, change: &change)
  }

  /// Selects a tab of a container, creating its stack if necessary, and removes the instances above
  /// the container.
  ///
  /// - Returns: the tab's root.
  private mutating func select(
    _ tab: Int, ofKept container: InstanceID, change: inout Change
  ) throws(Rejection) -> InstanceID {
    let root = try unmadeRoot(of: tab, of: container, change: change)
    cut(container, inclusive: false, change: &change)
    select(tab, of: container, root: root, change: &change)
    guard let stack = instances[container]?.tabs?.stacks[tab],
      let root = navigation.stacks[stack]?.root
    else { throw .notCurrent }
    return root
  }

  /// The root of a container's first tab, recursively; `nil` if a root is not the tab's own.
  private func firstRoot(in id: InstanceID, _ graph: Graph) -> InstanceID? {
    var id = id
    while instances[id]?.tabs != nil {
      guard let root = root(ofTab: 0, of: id, graph) else { return nil }
      id = root
    }
    return id
  }

  /// The root of a tab's stack; `nil` if it does not exist, or is not the tab's own.
  private func root(ofTab tab: Int, of container: InstanceID, _ graph: Graph) -> InstanceID? {
    guard let stack = instances[container]?.tabs?.stacks[tab],
      let root = navigation.stacks[stack]?.root, let instance = instances[root],
      let (target, arguments) = beginning(ofTab: tab, of: container, graph),
      instance.node == target.node, instance.arguments.isSame(as: arguments)
    else { return nil }
    return root
  }

  /// The target of a tab's own root, and its arguments.
  private func beginning(
    ofTab tab: Int, of container: InstanceID, _ graph: Graph
  ) -> (Target, arguments: Value)? {
    guard let instance = instances[container],
      case .tabs(let targets) = graph.nodes[instance.node].content
    else { return nil }
    return (targets[tab], graph.arguments(targets[tab], payload: instance.arguments))
  }

  /// The instance directly above another one in its stack; `nil` if there is none.
  private func above(_ id: InstanceID) -> InstanceID? {
    guard let stack = instances[id]?.stack else { return nil }
    var next = navigation.stacks[stack]?.top
    while let top = next, let below = instances[top]?.below {
      if below == id { return top }
      next = below
    }
    return nil
  }
}

/// The progress of taking the steps of a link.
private struct OpeningWalk {
  /// The instance that the last step led to.
  var place: InstanceID?
  /// The entries of the stack that was visited last, from its root; cached so that going up a stack
  /// reads it only once.
  private var stack: StackID?
  private var entries: [InstanceID] = []
  private var index = 0

  /// The instance directly above `id` in its stack; `nil` if there is none.
  mutating func above(_ id: InstanceID, in state: AppState) -> InstanceID? {
    guard let stack = state.instances[id]?.stack else { return nil }
    if stack != self.stack || index >= entries.count || entries[index] != id {
      self.stack = stack
      entries = []
      var next = state.navigation.stacks[stack]?.top
      while let entry = next {
        entries.append(entry)
        next = state.instances[entry]?.below
      }
      entries.reverse()
      index = entries.firstIndex(of: id) ?? entries.count
    }
    return index + 1 < entries.count ? entries[index + 1] : nil
  }

  mutating func keep(_ id: InstanceID) {
    place = id
    index += 1
  }

  /// Records an instance that was pushed after the rest of the stack was cut.
  mutating func push(_ id: InstanceID) {
    place = id
    entries.removeSubrange(min(index + 1, entries.count)...)
    entries.append(id)
    index += 1
  }
}

extension LinkPlan.Step {
  fileprivate var isLiving: Bool {
    if case .push(_, _, let isLiving) = self { isLiving } else { false }
  }

  fileprivate var isRoot: Bool { if case .root = self { true } else { false } }
}
