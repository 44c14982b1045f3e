/// What of an image has no place in the app that continues with it.
///
/// It stays part of the image: where the manifest has a place for it again, it comes back, read as what
/// the feature of that time wrote.
package enum LeftOver {
  /// The numbers of what is left over begin here; those of live instances are smaller.
  static let firstNumber: UInt64 = 1 << 63

  /// The instances that are left over, by numbers that no live instance has.
  ///
  /// - Parameters:
  ///   - plan: what becomes of each instance of the image.
  ///   - image: the image.
  ///   - newIDs: what the instances that continue are called now, by what they were called.
  /// - Returns: the instances, without those that are on or in what is nowhere.
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
    var copy = self
    (copy.id, copy.place) = (id, place)
    copy.presenter = presenter.flatMap { numbers[$0] }
    return copy
  }
}
