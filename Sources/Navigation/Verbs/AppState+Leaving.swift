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
        try dismiss(layer, otherwise: Self.atRoot, change: &change)
        return
      case nil: throw Self.atRoot
      }
    }
    throw Self.atRoot
  }

  private static var atRoot: Rejection {
    Rejection(.atRoot, "this is where the app begins; there is nothing to go back to")
  }

  /// Closes the anchor's layer, and all layers above it.
  mutating func dismiss(change: inout Change) throws(Rejection) {
    let refusal = Rejection(.notInModal, "no dialog is open")
    guard let layer = layer(of: change.anchor) else { throw refusal }
    try dismiss(layer, otherwise: refusal, change: &change)
  }

  /// Removes everything above the nearest `target`, among the anchor and its ancestors.
  mutating func popTo(
    _ target: PopTarget, inclusive: Bool, change: inout Change
  ) throws(Rejection) {
    let found = try popTarget(target, change: change)
    guard let instance = instances[found] else { return }
    if inclusive, instance.below == nil {
      let name = change.factory.graph.nodes[instance.node].name
      throw Rejection(.wouldEmpty, "'\(name)' is the first of its stack and can't be removed")
    }
    if let layer = lowestLayer(covering: found) { close(downTo: layer, change: &change) }
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
  private func lowestLayer(covering id: InstanceID) -> LayerID? {
    guard let own = layer(of: id), let lowest = lowestLayer(above: own) else { return nil }
    return ancestry(of: navigation.layers[lowest]?.over).contains(id) ? lowest : nil
  }

  private func popTarget(_ target: PopTarget, change: Change) throws(Rejection) -> InstanceID {
    let name: String
    switch target {
    case .root:
      let stack = instances[change.anchor]?.stack.flatMap { navigation.stacks[$0] }
      if let stack { return stack.root }
      name = "root"
    case .node(let node):
      // A background instance is in no layer, so it has no ancestors.
      let first = layer(of: change.anchor) == nil ? nil : change.anchor
      for id in ancestry(of: first) where instances[id]?.node == node { return id }
      name = change.factory.graph.nodes[node].name
    }
    throw Rejection(.notOnPath, "'\(name)' is not on the way back from here")
  }
}
