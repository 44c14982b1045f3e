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

/// A changed manifest that is to take the place of the one that runs.
///
/// Everything has been checked and planned beforehand: the step itself can't fail.
public final class Adoption: @unchecked Sendable {
  // Unchecked: made, used and read on the store's thread only.

  /// The graph, numbered as the one before.
  let graph: Graph
  /// The features of its nodes.
  let features: FeatureTable
  /// The instances as they are to be; those that continue have their identifiers.
  let layout: Layout
  /// What does not come back as it was, in words.
  let losses: String?
  /// The origin of the request.
  let origin: Journal.Origin
  /// The identifiers of the instances, in the order of the layout; none before the step.
  public internal(set) var ids: [InstanceID] = []

  /// - Parameters:
  ///   - graph: the graph, numbered as the one before.
  ///   - features: the features of its nodes.
  ///   - layout: the instances as they are to be.
  ///   - losses: what does not come back as it was, in words.
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
