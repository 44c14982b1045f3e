internal import AppCore
internal import Support

// The leaving verbs. They apply even if the emitter is not in front.
extension AppState {
  /// Removes the anchor, or the nearest container around it, that has an instance beneath it; if
  /// there is none, closes the layer.
  mutating func back(change: inout Change) throws(Rejection) {
    var id = change.anchor
    while let instance = instances[id], let stack = instance.stack {
      if let below = instance.below {
        cut(id, inclusive: true, change: &change)
        change.anchor = front(of: below)
        return
      }
      switch navigation.stacks[stack]?.owner {
      case .tab(let container, _): id = container
      case .layer(let layer):
        try dismiss(layer, otherwise: .atRoot, change: &change)
        return
      case nil: throw .atRoot
      }
    }
    throw .atRoot
  }

  /// Closes the anchor's layer, and all layers above it.
  mutating func dismiss(change: inout Change) throws(Rejection) {
    guard let layer = layer(of: change.anchor) else { throw .notInModal }
    try dismiss(layer, otherwise: .notInModal, change: &change)
  }

  /// Removes everything above the nearest `target`, among the anchor and its ancestors.
  mutating func popTo(
    _ target: PopTarget, inclusive: Bool, change: inout Change
  ) throws(Rejection) {
    let found = try popTarget(target, change: change)
    guard let instance = instances[found] else { return }
    if inclusive, instance.below == nil {
      throw .wouldEmpty(change.factory.graph.nodes[instance.node].name)
    }
    if let layer = lowestLayer(above: found) { close(downTo: layer, change: &change) }
    let below = instance.below
    cut(found, inclusive: inclusive, change: &change)
    change.anchor = front(of: inclusive ? below ?? found : found)
  }

  private mutating func dismiss(
    _ layer: LayerID, otherwise refusal: Rejection, change: inout Change
  ) throws(Rejection) {
    guard let over = navigation.layers[layer]?.over else { throw refusal }
    close(downTo: layer, change: &change)
    // The instance that the layer covered is hidden if another tab was selected beneath the layer.
    change.anchor = current ?? over
  }

  /// The lowest layer above that of an instance, if it covers the instance or one above or inside
  /// it; otherwise `nil`.
  private func lowestLayer(above id: InstanceID) -> LayerID? {
    guard let own = layer(of: id) else { return nil }
    var lowest: LayerID?
    var next = navigation.topLayer
    while let layer = next, layer != own {
      lowest = layer
      next = navigation.layers[layer]?.below
    }
    var inner = lowest.flatMap { navigation.layers[$0]?.over }
    while let instance = inner, instance != id { inner = parent(of: instance) }
    return inner == nil ? nil : lowest
  }

  private func popTarget(_ target: PopTarget, change: Change) throws(Rejection) -> InstanceID {
    switch target {
    case .root:
      guard let stack = instances[change.anchor]?.stack.flatMap({ navigation.stacks[$0] }) else {
        throw .notOnPath("root")
      }
      return stack.root
    case .node(let node):
      // A background instance is in no layer, so it has no ancestors.
      var next = layer(of: change.anchor) == nil ? nil : change.anchor
      while let id = next, let instance = instances[id] {
        if instance.node == node { return id }
        next = parent(of: id)
      }
      throw .notOnPath(change.factory.graph.nodes[node].name)
    }
  }
}
