package import Navigation

extension SessionPlan {
  /// The unplaced instances: those of an image that have no place in the restored app, renumbered.
  ///
  /// They stay in the image with the version of their features, and are restored when a later
  /// version of the manifest has a place for them. Those on or in an instance that is not in the
  /// image are left out.
  ///
  /// `newIDs` are the new identifiers of the restored instances, by those in the image.
  package func unplaced(
    from image: SessionImage, _ newIDs: [InstanceID: InstanceID]
  ) -> [SavedInstance] {
    let features = image.identity.featureVersions
    let dropped = dropped.compactMap { id -> SavedInstance? in
      var instance = image.moment.instances[id]
      if let node = instance?.node, instance?.encodedBy == nil {
        instance?.encodedBy = features[node]
      }
      return instance
    }
    var ids = newIDs
    for (index, instance) in dropped.enumerated() {
      ids[instance.id] = InstanceID(number: InstanceID.firstUnplaced + UInt64(index))
    }
    return dropped.compactMap { $0.renumbered(ids) }
  }
}

extension SavedInstance {
  /// Whether it had no place in the app that wrote the image.
  var isUnplaced: Bool { id.isUnplaced }

  /// A copy with new identifiers; `nil` if the instance that it is on or in has none.
  fileprivate func renumbered(_ ids: [InstanceID: InstanceID]) -> SavedInstance? {
    guard let id = ids[id] else { return nil }
    var copy = self
    copy.id = id
    copy.presenter = presenter.flatMap { ids[$0] }
    guard let parent else { return copy }
    guard let parent = ids[parent] else { return nil }
    switch place {
    case .above: copy.place = .above(parent)
    case .tab(_, let node): copy.place = .tab(of: parent, node: node)
    case .layer: copy.place = .layer(over: parent)
    case .background: copy.place = .background(of: parent)
    }
    return copy
  }
}

extension InstanceID {
  /// The smallest number of an unplaced instance; those of live instances are smaller.
  static let firstUnplaced: UInt64 = 1 << 63

  var isUnplaced: Bool { number >= Self.firstUnplaced }
}
