@_spi(Host) internal import AppCore

extension Router {
  /// Lets a changed manifest take the place of the one that runs.
  ///
  /// - Complexity: O(n log n) in how many instances there are.
  func adopt(_ state: inout AppState, _ adoption: Adoption) -> Effect<AppAction> {
    let start = ContinuousClock.now
    let entries = Dictionary(
      adoption.layout.entries.compactMap { entry in entry.id.map { ($0, entry) } },
      uniquingKeysWith: { first, _ in first })
    // By the features that they have: what is not part of the new graph ends as if it was left.
    var effects: [Effect<AppAction>] = []
    for id in state.instances.ids {
      switch entries[id]?.origin {
      case .running: break
      case .restored, .made: effects.append(endScope(of: id))
      case nil:
        guard let instance = state.instances[id] else { continue }
        effects.append(
          end(Change.Removed(id: id, node: instance.node, state: instance.state), in: &state))
      }
    }
    program.replace(adoption.graph)
    features.adopt(adoption.features, of: adoption.graph)
    var ids: [InstanceID] = []
    var new = AppState(adoption.layout, after: state, maker: maker, ids: &ids)
    (new.journal, new.ending) = (state.journal, state.ending)
    new.isClosing = state.isClosing
    state = new
    adoption.ids = ids
    effects += hooks(of: adoption.layout, ids, &state)
    state.journal.append(
      .adopted(
        instances: adoption.layout.entries.count { $0.origin != .made }, losses: adoption.losses),
      by: adoption.origin, took: ContinuousClock.now - start)
    return .merge(effects)
  }
}
