/// Left-over instances: those of an image that have no place in the restored app.
///
/// They stay in the image with the version of their features, and are restored when a later version
/// of the manifest has a place for them.
package enum LeftOver {
  /// The smallest number of a left-over instance; those of live instances are smaller.
  static let firstNumber: UInt64 = 1 << 63

  /// The instances that a plan drops, renumbered from ``firstNumber``.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - image: the image.
  ///   - newIDs: the new numbers of the restored instances, by their numbers in the image.
  /// - Returns: the instances, except for those on or in an instance that is not in the image.
  package static func instances(
    _ plan: SessionPlan, of image: SessionImage, _ newIDs: [UInt64: UInt64]
  ) -> [SavedInstance] {
    let features = image.identity.featureVersions
    let dropped = plan.dropped.compactMap { id -> SavedInstance? in
      var instance = image.instances[id]
      if let node = instance?.node, instance?.encodedBy == nil {
        instance?.encodedBy = features[node]
      }
      return instance
    }
    var numbers = newIDs
    for (index, instance) in dropped.enumerated() {
      numbers[instance.id] = firstNumber + UInt64(index)
    }
    return dropped.compactMap { $0.renumbered(numbers) }
  }
}

extension SavedInstance {
  /// A copy with new numbers; `nil` if the instance that it is on or in has none.
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
    var copy = self
    (copy.id, copy.place) = (id, place)
    copy.presenter = presenter.flatMap { numbers[$0] }
    return copy
  }
}
