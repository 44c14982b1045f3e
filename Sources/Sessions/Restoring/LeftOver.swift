/// What of an image has no place in the app that continues with it.
///
/// It stays part of the image: where the manifest has a place for it again, it comes back.
package struct LeftOver {
  /// The instances, by numbers that no live instance has.
  package let instances: [SavedInstance]
  /// The nodes and plugins that they are of.
  package let identity: SessionIdentity?

  /// The numbers of what is left over begin here; those of live instances are smaller.
  static let firstNumber: UInt64 = 1 << 63

  /// - Parameters:
  ///   - plan: what becomes of each instance of the image.
  ///   - image: the image.
  ///   - newIDs: what the instances that continue are called now, by what they were called.
  package init(_ plan: SessionPlan, of image: SessionImage, _ newIDs: [UInt64: UInt64]) {
    let dropped = plan.entries.compactMap { entry -> SavedInstance? in
      if case .dropped = entry.fate { image.instances[entry.id] } else { nil }
    }
    var numbers = newIDs
    for (index, instance) in dropped.enumerated() {
      numbers[instance.id] = Self.firstNumber + UInt64(index)
    }
    instances = dropped.compactMap { $0.renumbered(numbers) }
    let nodes = Set(instances.map(\.node))
    guard !nodes.isEmpty else {
      identity = nil
      return
    }
    let kept = image.identity.nodes.filter { nodes.contains($0.name) }
    let plugins = Set(kept.compactMap(\.plugin))
    identity = SessionIdentity(
      app: image.identity.app, manifest: image.identity.manifest,
      plugins: image.identity.plugins.filter { plugins.contains($0.name) }, nodes: kept)
  }
}

extension SessionIdentity {
  /// The identity with the nodes and plugins of another one that it does not have.
  package func adding(_ other: SessionIdentity?) -> SessionIdentity {
    guard let other else { return self }
    return SessionIdentity(
      app: app, manifest: manifest,
      plugins: plugins + other.plugins.filter { plugin($0.name) == nil },
      nodes: nodes + other.nodes.filter { node in !nodes.contains { $0.name == node.name } })
  }
}

extension SavedInstance {
  /// The instance as it is called by other numbers; `nil` where it is on or in what has none.
  fileprivate func renumbered(_ numbers: [UInt64: UInt64]) -> SavedInstance? {
    let place: Place
    switch self.place {
    case .above(let below):
      guard let below = numbers[below] else { return nil }
      place = .above(below)
    case .tab(let container, let node):
      guard let container = numbers[container] else { return nil }
      place = .tab(of: container, node: node)
    case .layer(nil), .background(nil): place = self.place
    case .layer(let over?):
      guard let over = numbers[over] else { return nil }
      place = .layer(over: over)
    case .background(let container?):
      guard let container = numbers[container] else { return nil }
      place = .background(of: container)
    }
    guard let id = numbers[id] else { return nil }
    return SavedInstance(
      id: id, node: node, arguments: arguments, presenter: presenter.flatMap { numbers[$0] },
      place: place, selectedTab: selectedTab, order: order, state: state, redaction: redaction)
  }
}
