@_spi(Host) internal import AppCore

extension AppState {
  /// The instances that are not as they were in an earlier state of the same app.
  ///
  /// - Returns: those that are new, that stand elsewhere or whose state was written, and those that
  ///   are gone.
  package func changes(since old: AppState) -> (changed: [InstanceID], removed: [InstanceID]) {
    instances.differences(from: old.instances) { $0.isSame(as: $1) }
  }

  /// The instances of a node that were presented last, the latest first, up to the first of which
  /// `isWanted` does not hold.
  package func latest(of node: Int, while isWanted: (InstanceID) -> Bool) -> [InstanceID] {
    var found: [InstanceID] = []
    var next = navigation.lastOfNode[node]
    while let id = next, isWanted(id) {
      found.append(id)
      next = instances.read(id) { $0.previousOfNode } ?? nil
    }
    return found
  }
}

extension Instance {
  /// Whether nothing has changed that an instance is restored from; the rest follows from others.
  fileprivate func isSame(as old: Instance) -> Bool {
    stack == old.stack && below == old.below && host == old.host
      && tabs?.selected == old.tabs?.selected
      && (state.map { state in old.state.map { state.isIdentical(to: $0) } ?? false }
        ?? (old.state == nil))
  }
}
