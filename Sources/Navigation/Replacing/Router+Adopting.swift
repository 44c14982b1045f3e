@_spi(Host) internal import AppCore

extension Router {
  /// Replaces the running manifest with a changed one.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of instances.
  func adopt(_ state: inout AppState, _ adoption: Adoption) -> Effect<AppAction> {
    let start = ContinuousClock.now
    let entries = Dictionary(
      adoption.layout.entries.compactMap { entry in entry.id.map { ($0, entry) } },
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
    program.replace(adoption.graph)
    features.adopt(adoption.features, of: adoption.graph)
    var ids: [InstanceID] = []
    var new = AppState(adoption.layout, after: state, factory: factory, ids: &ids)
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

/// A request to replace the running manifest with a changed one.
///
/// Everything has been checked and planned beforehand: the step itself can't fail.
public final class Adoption: @unchecked Sendable {
  // Unchecked: used only on the store's thread.

  /// The graph, in which nodes keep their indexes.
  let graph: Graph
  /// The features of its nodes.
  let features: FeatureTable
  /// The instances after the change; those that continue have identifiers.
  let layout: Layout
  /// A description of what is lost; `nil` if nothing is.
  let losses: String?
  /// The origin of the request.
  let origin: Journal.Origin
  /// The identifiers of the instances, in the order of the layout; empty before the step.
  public internal(set) var ids: [InstanceID] = []

  /// - Parameters:
  ///   - graph: the graph, in which nodes keep their indexes.
  ///   - features: the features of its nodes.
  ///   - layout: the instances after the change.
  ///   - losses: a description of what is lost; `nil` if nothing is.
  ///   - isAsked: whether the user asked for it.
  package init(
    _ graph: Graph, features: FeatureTable, layout: Layout, losses: String?, isAsked: Bool
  ) {
    self.graph = graph
    self.features = features
    self.layout = layout
    self.losses = losses
    origin = isAsked ? .person("reload") : .app
  }
}
