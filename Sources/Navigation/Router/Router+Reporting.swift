@_spi(Host) internal import AppCore

extension Router {
  /// Handles something that happened outside the reducers; most of it is only logged.
  func handle(_ state: inout AppState, _ report: AppAction.Report) -> Effect<AppAction> {
    switch report {
    case .effectEnded(let id): return effectEnded(&state, id)
    case .timeIsUp(let id): return timeIsUp(&state, id)
    case .late(let id):
      let event: Journal.Event =
        state.instances.read(id) { .outdated(id, node: $0.node) } ?? .gone(id)
      state.journal.append(event, by: .formerInstance(id))
    case .endless(let id, let action, let limit):
      guard let node = state.node(of: id) else {
        state.journal.append(.gone(id), by: .formerInstance(id))
        break
      }
      state.journal.append(
        .endless(id, node: node, action: action.text, limit: limit),
        by: .instance(id, node: node, action: action.text))
    case .flood(let id, let count):
      guard let node = state.node(of: id) else { break }
      state.journal.append(.flood(id, node: node, count: count), by: .app)
    case .notReplaced(let plugin, let code, let reason, let isAsked):
      state.journal.append(
        .notReplaced(plugin: plugin, code: code, reason: reason),
        by: isAsked ? .person("reload \(plugin)") : .app)
    case .restored(let plugin, let code, let isAsked):
      state.journal.append(
        .restored(plugin: plugin, code: code),
        by: isAsked ? .person("reload \(plugin)") : .app)
    case .notAdopted(let code, let reason, let isAsked):
      state.journal.append(
        .notAdopted(code: code, reason: reason), by: isAsked ? .person("reload") : .app)
    case .manifestRestored(let code, let isAsked):
      state.journal.append(
        .manifestRestored(code: code), by: isAsked ? .person("reload") : .app)
    case .unkept(let reason): state.journal.append(.unkept(reason: reason), by: .app)
    case .crowded(let builds): state.journal.append(.crowded(builds: builds), by: .app)
    }
    return .none
  }
}
