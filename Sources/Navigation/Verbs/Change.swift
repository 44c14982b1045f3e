@_spi(Host) internal import AppCore

/// The context of one step, and the instances that it adds and removes.
struct Change {
  let factory: InstanceFactory
  /// The instance on which the next verb acts: first the emitter, then the instance that the
  /// previous verb brought to the front.
  var anchor: InstanceID
  var ended: [Removed] = []
  var begun: [InstanceID] = []

  /// A removed instance, with what its feature needs to end it.
  struct Removed {
    let id: InstanceID
    let node: Int
    /// `nil` for a container.
    let state: InstanceState?
  }
}

// The operations of which verbs consist. None recurses along stacks or layers, which may be 100,000
// deep.
extension AppState {
  /// Adds a pending instance and those within it; the caller updates the stack.
  mutating func insert(
    _ pending: PendingInstance, presenter: InstanceID?, stack: StackID?, below: InstanceID?,
    change: inout Change
  ) -> InstanceID {
    let previous = navigation.lastOfNode[pending.node]
    let parent = parent(in: stack, below: below)
    let outer = parent.flatMap { instances[$0] }
    let instance = Instance(
      node: pending.node, arguments: pending.arguments, depth: (outer?.depth ?? 0) + 1,
      container: outer?.tabs == nil ? outer?.container : parent, presenter: presenter,
      state: pending.state, stack: stack, below: below, previousOfNode: previous)
    let id: InstanceID
    if let known = pending.id {
      instances.insert(instance, at: known)
      id = known
    } else {
      id = instances.insert(instance)
    }
    if let previous { instances.update(previous) { $0.nextOfNode = id } }
    navigation.lastOfNode[pending.node] = id
    if pending.state != nil { change.begun.append(id) }
    if let root = pending.tabRoot.first {
      // Set before the root is inserted, which looks up its container.
      instances.update(id) {
        $0.tabs = Tabs(selected: 0, stacks: Array(repeating: nil, count: pending.tabCount))
      }
      let stack = insertStack(
        owner: .tab(of: id, 0), root: root, presenter: presenter, change: &change)
      instances.update(id) { $0.tabs?.stacks[0] = stack }
    }
    let background = pending.background.map {
      insert($0, presenter: presenter, stack: nil, below: nil, change: &change)
    }
    for instance in background { instances.update(instance) { $0.host = id } }
    if !background.isEmpty { instances.update(id) { $0.background = background } }
    return id
  }

  mutating func insertStack(
    owner: Stack.Owner, root: PendingInstance, presenter: InstanceID?, change: inout Change
  ) -> StackID {
    // The root needs the stack's identifier; until it is inserted, the stack has an invalid one.
    let nobody = InstanceID(index: .max, generation: .max)
    let stack = navigation.stacks.insert(Stack(owner: owner, root: nobody, top: nobody))
    let id = insert(root, presenter: presenter, stack: stack, below: nil, change: &change)
    navigation.stacks.update(stack) {
      $0.root = id
      $0.add(id, of: root.node, in: change.factory.graph)
    }
    return stack
  }

  mutating func push(
    _ pending: PendingInstance, presenter: InstanceID?, on stack: StackID, change: inout Change
  ) -> InstanceID {
    let below = navigation.stacks[stack]?.top
    let id = insert(
      pending, presenter: presenter, stack: stack, below: below, change: &change)
    navigation.stacks.update(stack) { $0.add(id, of: pending.node, in: change.factory.graph) }
    return id
  }

  /// Puts an instance in place of `id`, which must be on top of its stack.
  mutating func replaceInPlace(
    _ id: InstanceID, with pending: PendingInstance, change: inout Change
  ) -> InstanceID {
    guard let old = instances[id], let stack = old.stack else { return id }
    let new = insert(
      pending, presenter: old.presenter, stack: stack, below: old.below, change: &change)
    navigation.stacks.update(stack) {
      if $0.root == id { $0.root = new }
      $0.add(new, of: pending.node, in: change.factory.graph)
    }
    remove([id], change: &change)
    return new
  }

  /// Opens a layer over an instance; `over` is `nil` for the root layer.
  mutating func open(
    _ pending: PendingInstance, over: InstanceID?, presenter: InstanceID?, change: inout Change
  ) -> InstanceID? {
    let layer = navigation.layers.insert(
      Layer(stack: nil, over: over, below: navigation.topLayer))
    let stack = insertStack(
      owner: .layer(layer), root: pending, presenter: presenter, change: &change)
    navigation.layers.update(layer) { $0.stack = stack }
    navigation.topLayer = layer
    if over == nil { navigation.rootLayer = layer }
    if let over { instances.update(over) { $0.layerOver = layer } }
    return navigation.stacks[stack]?.root
  }

  /// Removes the instances above `id` in its stack, and `id` itself if `inclusive`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of removed instances.
  mutating func cut(_ id: InstanceID, inclusive: Bool, change: inout Change) {
    guard let stack = instances[id]?.stack, var top = navigation.stacks[stack]?.top else { return }
    var gone: [InstanceID] = []
    while top != id, let below = instances[top]?.below {
      gone.append(top)
      top = below
    }
    if inclusive { gone.append(id) }
    guard let newTop = inclusive ? instances[id]?.below : id else {
      remove(gone, change: &change)
      return
    }
    navigation.stacks.update(stack) { $0.top = newTop }
    remove(gone, change: &change)
  }

  mutating func close(downTo layer: LayerID, change: inout Change) {
    remove([], closing: layer, change: &change)
  }

  /// Removes instances that their stacks no longer refer to, with the layers over them, their tabs
  /// and their background instances.
  mutating func remove(
    _ ids: [InstanceID], closing layer: LayerID? = nil, change: inout Change
  ) {
    var pending = ids
    if let layer { takeLayers(downTo: layer, into: &pending) }
    while let id = pending.popLast() {
      guard let instance = instances.remove(id) else { continue }
      change.ended.append(Change.Removed(id: id, node: instance.node, state: instance.state))
      unlink(id, instance)
      if let stack = instance.stack {
        navigation.stacks.update(stack) { $0.removeOne(of: instance.node) }
      }
      if let layer = instance.layerOver { takeLayers(downTo: layer, into: &pending) }
      for stack in instance.tabs?.stacks ?? [] {
        if let stack { takeStack(stack, into: &pending) }
      }
      pending.append(contentsOf: instance.background)
    }
  }

  private mutating func takeLayers(downTo layer: LayerID, into pending: inout [InstanceID]) {
    guard navigation.layers[layer] != nil else { return }
    while let top = navigation.topLayer, let removed = navigation.layers.remove(top) {
      navigation.topLayer = removed.below
      if let over = removed.over { instances.update(over) { $0.layerOver = nil } }
      if let stack = removed.stack { takeStack(stack, into: &pending) }
      if top == layer { return }
    }
  }

  private mutating func takeStack(_ stack: StackID, into pending: inout [InstanceID]) {
    guard let removed = navigation.stacks.remove(stack) else { return }
    var next: InstanceID? = removed.top
    while let id = next {
      pending.append(id)
      next = instances[id]?.below
    }
  }

  private mutating func unlink(_ id: InstanceID, _ instance: Instance) {
    if let previous = instance.previousOfNode {
      instances.update(previous) { $0.nextOfNode = instance.nextOfNode }
    }
    if let next = instance.nextOfNode {
      instances.update(next) { $0.previousOfNode = instance.previousOfNode }
    }
    if navigation.lastOfNode[instance.node] == id {
      navigation.lastOfNode[instance.node] = instance.previousOfNode
    }
  }
}

extension Stack {
  /// Makes an instance of a node the top.
  fileprivate mutating func add(_ id: InstanceID, of node: Int, in graph: Graph) {
    top = id
    if graph.nodes[node].maxDepth != nil { limitedNodes[node, default: 0] += 1 }
  }

  fileprivate mutating func removeOne(of node: Int) {
    if let count = limitedNodes[node] { limitedNodes[node] = count > 1 ? count - 1 : nil }
  }
}
