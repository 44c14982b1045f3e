@_spi(Host) internal import AppCore

/// A request to replace the instances of an app in one step: by saved ones or, with the graph and the
/// features, because the manifest or a plugin has changed.
///
/// Another build of a plugin is the same manifest with other features. Everything has been checked
/// and planned beforehand: the step itself can't fail.
public final class Replacement: @unchecked Sendable {
  // Unchecked: used only on the store's thread.
  /// The instances after the step; those that continue have identifiers.
  let layout: Layout
  /// What is replaced besides the instances; `nil` where saved instances are restored.
  let program: NewProgram?
  /// The identifiers of the instances, in the order of the layout; empty before the step.
  public internal(set) var ids: [InstanceID] = []
  /// Called once within the step, with ``ids``, before features are told that they continue.
  package var willContinue: (([InstanceID]) -> Void)?

  /// A changed manifest, or the same one with another build of a plugin.
  struct NewProgram {
    /// The graph, in which nodes keep their indexes.
    let graph: Graph
    let features: FeatureTable
    /// What the log says about it.
    let reload: NavigationEvent.Reload
    let isAsked: Bool
  }

  /// Restores instances, with at least the root of the root layer.
  package init(_ layout: Layout) { (self.layout, program) = (layout, nil) }

  package init(
    _ graph: Graph, features: FeatureTable, layout: Layout, reload: NavigationEvent.Reload,
    isAsked: Bool
  ) {
    self.layout = layout
    program = NewProgram(graph: graph, features: features, reload: reload, isAsked: isAsked)
  }
}

extension Router {
  /// Replaces the instances and, if the program has changed, the graph and the features.
  ///
  /// Effects are not repeated: `didRestore` is called for a restored instance, and `didStart` for a
  /// new one.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of instances.
  func replace(_ state: inout AppState, _ replacement: Replacement) -> Effect<AppAction> {
    let start = ContinuousClock.now
    let (layout, new) = (replacement.layout, replacement.program)
    var effects: [Effect<AppAction>]
    if let new {
      effects = leave(&state, for: layout)
      factory.graph = new.graph
      features.adopt(new.features, of: new.graph)
    } else {
      effects = (state.instances.ids + state.ending.keys).map { endScope(of: $0) }
    }
    // An action that is under way to an instance of before reaches none of those to be.
    var next = AppState(layout, after: state, factory: factory, ids: &replacement.ids)
    replacement.willContinue?(replacement.ids)
    replacement.willContinue = nil
    next.journal = state.journal
    if let new {
      (next.ending, next.isClosing) = (state.ending, state.isClosing)
      // The manifest is the same, and so is what its link means.
      if new.reload.plugin != nil { next.waitingLink = state.waitingLink }
    }
    state = next
    for (id, entry) in zip(replacement.ids, layout.entries) where entry.state != nil {
      switch entry.origin {
      case .running: break
      case .restored: effects.append(didRestore(&state, id, entry.node))
      case .made: effects.append(didStart(&state, id, entry.node))
      }
    }
    state.journal.append(
      new.map { .reloaded($0.reload) } ?? .navigated(verbs: ["restore"]),
      by: new.map { .reload(of: $0.reload.plugin?.name, isAsked: $0.isAsked) } ?? .app,
      took: ContinuousClock.now - start)
    return .merge(effects)
  }

  /// Ends the instances that a new layout does not have, with their present features, as if left.
  private func leave(_ state: inout AppState, for layout: Layout) -> [Effect<AppAction>] {
    let entries = Dictionary(
      layout.entries.compactMap { entry in entry.id.map { ($0, entry) } },
      uniquingKeysWith: { first, _ in first })
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
    return effects
  }

  /// Gives a suspended instance its saved state.
  func resume(
    _ state: inout AppState, _ id: InstanceID, _ own: InstanceState
  ) -> Effect<AppAction> {
    guard let node = state.instances[id]?.node, features[node] != nil else { return .none }
    state.instances.update(id) { $0.state = own }
    return didRestore(&state, id, node)
  }

  private func didRestore(
    _ state: inout AppState, _ id: InstanceID, _ node: Int
  ) -> Effect<AppAction> {
    guard let feature = features[node] else { return .none }
    return calls.during(.didRestore, node: node, instance: id) {
      update(&state, id) { feature.didRestore(&$0) }
    }
  }
}
