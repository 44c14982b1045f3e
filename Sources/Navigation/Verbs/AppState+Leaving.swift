internal import AppCore
internal import Diagnostics

// The verbs that leave. A feature may always leave.
extension AppState {
  /// Removes the first entry on the way outward that has one beneath it.
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

  /// Removes everything above the nearest `target` on the way outward.
  mutating func popTo(
    _ target: PopTarget, inclusive: Bool, change: inout Change
  ) throws(Rejection) {
    let found = try popTarget(target, change: change)
    guard let instance = instances[found] else { return }
    if inclusive, instance.below == nil {
      throw .wouldEmpty(change.maker.graph.nodes[instance.node].name)
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
    // What the layer lay over is hidden where the layer has selected another tab beneath itself.
    change.anchor = current ?? over
  }

  /// The lowest layer that covers an instance, or over what is on it or in it; those above it
  /// cover that one.
  private func lowestLayer(above id: InstanceID) -> LayerID? {
    guard let own = layer(of: id) else { return nil }
    var lowest: LayerID?
    var next = navigation.topLayer
    while let layer = next, layer != own {
      lowest = layer
      next = navigation.layers[layer]?.below
    }
    var inner = lowest.flatMap { navigation.layers[$0]?.over }
    while let instance = inner, instance != id { inner = outward(from: instance) }
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
      // A background instance stands nowhere, so nothing is on its way.
      var next = layer(of: change.anchor) == nil ? nil : change.anchor
      while let id = next, let instance = instances[id] {
        if instance.node == node { return id }
        next = outward(from: id)
      }
      throw .notOnPath(change.maker.graph.nodes[node].name)
    }
  }
}
