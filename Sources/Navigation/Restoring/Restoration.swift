@_spi(Host) public import AppCore

/// A request to restore instances in one step.
public final class Restoration: @unchecked Sendable {
  // Unchecked: used only on the store's thread.
  /// The instances to restore.
  enum Subject {
    case app(Layout)
    /// One instance that was suspended, with its state.
    case instance(InstanceID, InstanceState)
  }

  let subject: Subject
  /// The identifiers of the instances, in the order of the layout; empty before the step.
  public internal(set) var ids: [InstanceID] = []

  /// Restores all instances, with at least the root of the root layer.
  package init(_ layout: Layout) { subject = .app(layout) }

  /// Restores an instance that is suspended, from its saved state.
  @_spi(Host) public init(_ id: InstanceID, _ state: InstanceState) {
    subject = .instance(id, state)
  }
}

extension Router {
  func restore(_ state: inout AppState, _ restoration: Restoration) -> Effect<AppAction> {
    switch restoration.subject {
    case .app(let layout): return restore(&state, layout, &restoration.ids)
    case .instance(let id, let own):
      guard let node = state.instances[id]?.node, let feature = features[node] else { return .none }
      state.instances.update(id) { $0.state = own }
      return calls.during(.didRestore, node: node, instance: id) {
        update(&state, id) { feature.didRestore(&$0) }
      }
    }
  }

  /// Replaces all instances with those of a layout.
  ///
  /// Effects are not repeated: `didRestore` is called for a restored instance, and `didStart` for a
  /// new one.
  private func restore(
    _ state: inout AppState, _ layout: Layout, _ ids: inout [InstanceID]
  ) -> Effect<AppAction> {
    let start = ContinuousClock.now
    var effects = (state.instances.ids + state.ending.keys).map { endScope(of: $0) }
    // An action that is under way to an instance of before reaches none of those to be.
    var new = AppState(layout, after: state, factory: factory, ids: &ids)
    new.journal = state.journal
    state = new
    effects += hooks(of: layout, ids, &state)
    state.journal.append(
      .navigated(verbs: ["restore"]), by: .app, took: ContinuousClock.now - start)
    return .merge(effects)
  }

  /// Calls `didRestore` for restored instances and `didStart` for new ones.
  func hooks(
    of layout: Layout, _ ids: [InstanceID], _ state: inout AppState
  ) -> [Effect<AppAction>] {
    var effects: [Effect<AppAction>] = []
    for (id, entry) in zip(ids, layout.entries) where entry.state != nil {
      guard let feature = features[entry.node] else { continue }
      switch entry.origin {
      case .running: break
      case .restored:
        effects.append(
          calls.during(.didRestore, node: entry.node, instance: id) {
            update(&state, id) { feature.didRestore(&$0) }
          })
      case .made:
        effects.append(
          calls.during(.didStart, node: entry.node, instance: id) {
            update(&state, id) { feature.didStart(&$0) }
          })
      }
    }
    return effects
  }
}
