@_spi(Host) internal import AppCore

/// A request to replace the running manifest with a changed one, or one plugin with another build.
///
/// Another build of a plugin is the same manifest with other features. Everything has been checked
/// and planned beforehand: the step itself can't fail.
public final class ManifestReplacement: @unchecked Sendable {
  // Unchecked: used only on the store's thread.

  /// The graph, in which nodes keep their indexes.
  let graph: Graph
  let features: FeatureTable
  /// The instances after the change; those that continue have identifiers.
  let layout: Layout
  /// What the log says about it.
  let reload: NavigationEvent.Reload
  let isAsked: Bool
  /// The identifiers of the instances, in the order of the layout; empty before the step.
  public internal(set) var ids: [InstanceID] = []

  package init(
    _ graph: Graph, features: FeatureTable, layout: Layout, reload: NavigationEvent.Reload,
    isAsked: Bool
  ) {
    self.graph = graph
    self.features = features
    self.layout = layout
    self.reload = reload
    self.isAsked = isAsked
  }

  /// What is replaced, in words.
  package var text: String {
    reload.plugin.map { "a new build of '\($0.name)'" } ?? "a changed manifest"
  }
}

extension Router {
  /// Replaces the graph, the features and the states together.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of instances.
  func adopt(
    _ state: inout AppState, _ replacement: ManifestReplacement
  ) -> Effect<AppAction> {
    let start = ContinuousClock.now
    let layout = replacement.layout
    let entries = Dictionary(
      layout.entries.compactMap { entry in entry.id.map { ($0, entry) } },
      uniquingKeysWith: { first, _ in first })
    // Instances that the new layout does not have end with their present features, as if left.
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
    program.replace(replacement.graph)
    features.adopt(replacement.features, of: replacement.graph)
    var new = AppState(layout, after: state, factory: factory, ids: &replacement.ids)
    (new.journal, new.ending) = (state.journal, state.ending)
    new.isClosing = state.isClosing
    // The manifest is the same, and so is what its link means.
    if replacement.reload.plugin != nil { new.waitingLink = state.waitingLink }
    state = new
    effects += hooks(of: layout, replacement.ids, &state)
    state.journal.append(
      .reloaded(replacement.reload),
      by: .reload(of: replacement.reload.plugin?.name, isAsked: replacement.isAsked),
      took: ContinuousClock.now - start)
    return .merge(effects)
  }
}
