@_spi(Host) public import AppCore

/// The instances of a restored app, to be shown again in one step.
public final class Restoration: @unchecked Sendable {
  // Unchecked: made, used and read on the store's thread only.
  /// The instances to restore.
  enum Subject {
    case app(Layout)
    /// One instance that was suspended, with its state.
    case instance(InstanceID, InstanceState)
  }

  let subject: Subject
  /// The identifiers of the instances, in the order of the layout; none before the step.
  public internal(set) var ids: [InstanceID] = []

  /// - Parameter layout: at least what the root layer begins with.
  package init(_ layout: Layout) { subject = .app(layout) }

  /// - Parameters:
  ///   - id: an instance that is suspended.
  ///   - state: its saved state.
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
  /// Effects are not repeated: a restored instance is asked for those to continue with, and a new
  /// instance for those to start with.
  private func restore(
    _ state: inout AppState, _ layout: Layout, _ ids: inout [InstanceID]
  ) -> Effect<AppAction> {
    let start = ContinuousClock.now
    var effects = state.instances.ids.map { endScope(of: $0) }
    var new = AppState(layout, maker: maker, ids: &ids)
    new.journal = state.journal
    state = new
    effects += hooks(of: layout, ids, &state)
    state.journal.append(
      .navigated(verbs: ["restore"]), by: .app, took: ContinuousClock.now - start)
    return .merge(effects)
  }

  /// Asks restored instances for the effects to continue with, and new ones for those to start with.
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
