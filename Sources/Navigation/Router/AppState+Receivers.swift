// Who gets a notification. Read before the step, so that what goes in it is known too.
extension AppState {
  /// The instance that is meant; `nil` for `current`, which is known after the step only.
  func receiver(_ receiver: Receiver, from id: InstanceID) -> InstanceID? {
    switch receiver {
    case .presenter: instances[id]?.presenter
    case .opener:
      // A background instance stands where its container does.
      layer(of: instances[id]?.host ?? id).flatMap { navigation.layers[$0]?.over }
    case .current: nil
    case .node(let node): nearest(node, from: id)
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
}
