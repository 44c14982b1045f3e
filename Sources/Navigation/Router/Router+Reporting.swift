@_spi(Host) internal import AppCore
internal import Support

extension Router {
  /// Handles something that happened outside the reducers; most of it is only logged.
  func handle(_ state: inout AppState, _ report: AppAction.Report) -> Effect<AppAction> {
    switch report {
    case .effectEnded(let id): return effectEnded(&state, id)
    case .timeIsUp(let id): return timeIsUp(&state, id)
    case .late(let id):
      let isPresent = state.instances[id] != nil
      state.journal.append(.dropped(isPresent ? .outdated : .gone), by: .formerInstance(id))
    case .endless(let id, let action, let limit):
      guard let node = state.node(of: id) else {
        state.journal.append(.dropped(.gone), by: .formerInstance(id))
        break
      }
      let name = graph.nodes[node].name
      state.journal.append(
        .dropped(
          Rejection(
            .endless,
            "'\(action.text)' of '\(name)' #\(id) was cut off: it is one of more than \(limit) "
              + "actions that brought each other about without end")),
        by: .instance(id, node: name, action: action.text))
    case .flood(let id, let count):
      guard let node = state.node(of: id) else { break }
      state.journal.append(
        .warned(
          Rejection(
            .flood,
            "'\(graph.nodes[node].name)' #\(id) has \(count) running effects; it starts more than end"
          )), by: .app)
    case .notReloaded(let plugin, let code, let reason, let isAsked):
      state.journal.append(
        .notReloaded(plugin: plugin, code: code, reason: reason),
        by: .reload(of: plugin, isAsked: isAsked))
    case .restored(let plugin, let code, let isAsked):
      state.journal.append(
        .restored(plugin: plugin, code: code), by: .reload(of: plugin, isAsked: isAsked))
    case .warning(let rejection): state.journal.append(.warned(rejection), by: .app)
    }
    return .none
  }
}

extension NavigationEvent.Origin {
  /// The origin of a reload of a plugin, or of the manifest if it is `nil`.
  static func reload(of plugin: String?, isAsked: Bool) -> Self {
    isAsked ? .person(command: plugin.map { "reload \($0)" } ?? "reload") : .app
  }
}
