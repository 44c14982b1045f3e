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
  ) throws(Rejection) -> ArraySlice<Link.Step> {
    if let index = plan.steps.firstIndex(where: \.isLiving),
      !isBegun(plan.steps[...index], change.factory.graph),
      let id = living(plan.steps[index].target.node)
    {
      // It is not where the steps would put it, and stays where it is.
      uncover(id, .cut, change: &change)
      walk.place = id
      return plan.steps[(index + 1)...]
    }
    guard case .push(let target, let isLiving)? = plan.steps.first else {
      throw Rejection(
        .unavailable,
        "'\(plan.address)' can't be shown: it begins with nothing that can be shown")
    }
    if let root, let instance = instances[root], instance.shows(target, whatever: isLiving) {
      walk.place = root
    } else {
      let pending = try change.factory.instance(of: target.node, target.value)
      if let root = navigation.rootLayer { close(downTo: root, change: &change) }
      walk.place = open(pending, over: nil, presenter: nil, change: &change)
    }
    return plan.steps.dropFirst()
  }

  /// Whether these steps lead to instances that already exist in the place that the steps describe.
  private func isBegun(_ steps: ArraySlice<Link.Step>, _ graph: Graph) -> Bool {
    var walk = OpeningWalk()
    var place = root
    for (index, step) in steps.enumerated() {
      switch step {
      case .push(let target, let isLiving):
        if index > 0 {
          place = place.flatMap { firstRoot(in: $0, graph) }.flatMap { walk.above($0, in: self) }
        }
        guard let id = place, let instance = instances[id],
          instance.shows(target, whatever: isLiving)
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
    ancestry(of: current).first { instances[$0]?.node == node }
      ?? latest(of: node).first { layer(of: $0) != nil }
  }

  private mutating func take(
    _ step: Link.Step, _ walk: inout OpeningWalk, change: inout Change
  ) throws(Rejection) {
    let front = try descend(&walk, change: &change, isContainerMeant: step.isRoot)
    switch step {
    case .push(let target, let isLiving):
      guard let stack = instances[front]?.stack else { throw .notCurrent }
      if let next = walk.above(front, in: self), let instance = instances[next],
        instance.shows(target, whatever: isLiving)
      {
        return walk.keep(next)
      }
      cut(front, inclusive: false, change: &change)
      try checkDepth(of: target.node, on: front, in: stack, change: change)
      let pending = try change.factory.instance(of: target.node, target.value)
      walk.push(push(pending, presenter: front, on: stack, change: &change))
    case .present(let target):
      let pending = try change.factory.instance(of: target.node, target.value)
      cut(front, inclusive: false, change: &change)
      walk.place = open(pending, over: front, presenter: front, change: &change)
    case .select(let node):
      guard let (container, tab) = container(withTab: node, from: front, in: change.factory.graph)
      else { throw .noSuchTab(node, in: change.factory.graph) }
      walk.place = try selectOwn(tab, of: container, change: &change)
    case .root(let target, let tabNode):
      guard let instance = instances[front],
        case let tabs = change.factory.graph.nodes[instance.node].tabs,
        let tab = tabs.firstIndex(where: { $0.node == tabNode })
      else { throw .noSuchTab(tabNode, in: change.factory.graph) }
      let root = try select(tab, ofKept: front, change: &change)
      walk.place = root
      if let there = instances[root], !there.shows(target) {
        let pending = try change.factory.instance(of: target.node, target.value)
        cut(root, inclusive: false, change: &change)
        walk.place = replaceInPlace(root, with: pending, change: &change)
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
      let own = beginning(ofTab: tab, of: container, change.factory.graph)
    else { return there }
    let pending = try change.factory.instance(of: own.node, own.value)
    cut(there, inclusive: false, change: &change)
    return replaceInPlace(there, with: pending, change: &change)
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
      let own = beginning(ofTab: tab, of: container, graph), instance.shows(own)
    else { return nil }
    return root
  }

  /// The target of a tab's own root.
  private func beginning(
    ofTab tab: Int, of container: InstanceID, _ graph: Graph
  ) -> Target? {
    guard let instance = instances[container],
      case .tabs(let targets) = graph.nodes[instance.node].content
    else { return nil }
    let target = targets[tab]
    return Target(
      node: target.node, graph.arguments(of: target, payload: instance.arguments))
  }
}

extension Instance {
  /// Whether it is an instance of the target's node with its arguments, or `whatever` they are.
  fileprivate func shows(_ target: Target, whatever isAny: Bool = false) -> Bool {
    node == target.node && (isAny || arguments.isSame(as: target.value))
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

extension Link.Step {
  fileprivate var isLiving: Bool {
    if case .push(_, let isLiving) = self { isLiving } else { false }
  }

  fileprivate var isRoot: Bool { if case .root = self { true } else { false } }
}
