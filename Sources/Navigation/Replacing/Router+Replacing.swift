@_spi(Host) internal import AppCore
internal import Support

extension Router {
  /// Replaces the running build of a plugin and carries over the states of all its instances, or
  /// changes nothing.
  ///
  /// - Complexity: O(*n* + *s*), where *n* is the number of instances and *s* the size of the
  ///   states.
  func replace(_ state: inout AppState, by replacement: Replacement) -> Effect<AppAction> {
    let start = ContinuousClock.now
    var taken: [(id: InstanceID, node: Int, state: InstanceState)] = []
    do throws(Rejection) {
      taken = try states(of: state, for: replacement)
    } catch {
      replacement.outcome = .failure(error)
      state.journal.append(
        .notReplaced(
          plugin: replacement.plugin, code: error.code, reason: error.message),
        by: replacement.origin, took: ContinuousClock.now - start)
      return .none
    }
    program.replace(replacement.graph)
    features.replace(replacement.features)
    // Pending work of the old build continues, but its actions are ignored.
    state.ending = state.ending.filter { replacement.features[$0.value.node] == nil }
    // The former build's effects end before those of the new one begin.
    var effects = taken.map { endScope(of: $0.id) }
    for (id, node, new) in taken {
      state.instances.update(id) { $0.state = new }
      guard let feature = replacement.features[node] else { continue }
      effects.append(
        calls.during(.didRestore, node: node, instance: id) {
          update(&state, id) { feature.didRestore(&$0) }
        })
    }
    replacement.outcome = .success(taken.count)
    state.journal.append(
      .replaced(
        plugin: replacement.plugin, from: replacement.versions.former,
        to: replacement.versions.own, instances: taken.count),
      by: replacement.origin, took: ContinuousClock.now - start)
    return .merge(effects)
  }

  /// Converts the states of the plugin's instances for the new build.
  private func states(
    of state: AppState, for replacement: Replacement
  ) throws(Rejection) -> [(id: InstanceID, node: Int, state: InstanceState)] {
    var taken: [(id: InstanceID, node: Int, state: InstanceState)] = []
    for id in state.instances.ids {
      guard let instance = state.instances[id], let old = instance.state,
        let former = features[instance.node], let feature = replacement.features[instance.node]
      else { continue }
      do {
        let new = try calls.during(.takeOver, node: instance.node, instance: id) {
          try feature.takeOver(old, of: former, versions: replacement.versions)
        }
        taken.append((id, instance.node, new))
      } catch {
        throw .stateNotCarried(
          id, node: replacement.graph.nodes[instance.node].name,
          reason: describe(error) + (Self.remedy(error).map { "\n" + $0 } ?? ""))
      }
    }
    return taken
  }

  /// The remedy for a state that can't be decoded; `nil` for an error that the feature throws.
  private static func remedy(_ error: any Error) -> String? {
    switch error {
    case DecodingError.keyNotFound(_, let context) where context.codingPath.isEmpty:
      "let the feature's State be 'Defaulted', with a default for each property, or give the feature a "
        + "'migrate'"
    case is DecodingError: "give the feature a 'migrate' that brings the former state to this form"
    default: nil
    }
  }
}
