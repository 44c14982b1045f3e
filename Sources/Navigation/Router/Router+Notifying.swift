@_spi(Host) internal import AppCore
internal import Support

/// A `notify` verb of a route, with its receivers as they were before the step.
struct NotificationTarget {
  let receiver: Receiver
  let input: String
  let template: ArgumentTemplate
  /// The templates for features whose input has another type, by feature.
  let others: [String: ArgumentTemplate]
  let instances: [InstanceID]
  /// If there are no receivers, a tab without instances that leads to one; `nil` if there is none.
  let unmade: (container: InstanceID, tab: Int)?
}

extension Router {
  /// The receivers of a route, looked up before its step.
  func targets(of route: Route, from id: InstanceID, in state: AppState) -> [NotificationTarget] {
    route.verbs.compactMap { verb in
      guard case .notify(let receiver, let input, let template, let others) = verb else {
        return nil
      }
      let instances = state.receivers(receiver, from: id)
      var unmade: (InstanceID, Int)?
      if instances.isEmpty, let node = receiver.node {
        unmade = state.unmadeTab(leadingTo: node, from: id, in: graph)
      }
      return NotificationTarget(
        receiver: receiver, input: input, template: template, others: others,
        instances: instances, unmade: unmade)
    }
  }

  /// Sends the input action of a `notify` verb to its receivers, after the step.
  func notify(
    _ state: inout AppState, _ target: NotificationTarget, _ payload: Value,
    from id: InstanceID, by origin: NavigationEvent.Origin
  ) -> Effect<AppAction> {
    var receivers = target.instances
    var made = Effect<AppAction>.none
    switch target.receiver {
    case .current: receivers = [state.current].compactMap { $0 }
    case .node(let node), .all(let node):
      guard let unmade = target.unmade, state.instances[unmade.container] != nil else { break }
      made = makeTabs(&state, unmade, leadingTo: node, from: id)
      receivers = [state.way(in: unmade, leadingTo: node, in: graph).root].compactMap { $0 }
    case .presenter, .opener: break
    }
    guard !receivers.isEmpty else {
      state.journal.append(.noReceiver(input: target.input), by: origin)
      return made
    }
    let told = receivers.map { notify(&state, $0, target, payload, by: origin) }
    return .merge([made] + told)
  }

  /// Creates the roots of the tabs that lead to `node`, outermost first, until one can't be
  /// created; the outermost tab was found before the step.
  private func makeTabs(
    _ state: inout AppState, _ outermost: (container: InstanceID, tab: Int), leadingTo node: Int,
    from id: InstanceID
  ) -> Effect<AppAction> {
    var effects: [Effect<AppAction>] = []
    while let (container, tab) = state.way(in: outermost, leadingTo: node, in: graph).unmade {
      var change = Change(factory: factory, anchor: id)
      guard (try? state.makeTab(tab, of: container, change: &change)) != nil else { break }
      effects.append(commit(&state, change))
    }
    return .merge(effects)
  }

  private func notify(
    _ state: inout AppState, _ receiver: InstanceID, _ target: NotificationTarget,
    _ payload: Value, by origin: NavigationEvent.Origin
  ) -> Effect<AppAction> {
    let input = target.input
    guard let instance = state.instances[receiver], let feature = features[instance.node],
      feature.info.inputs.contains(where: { $0.name == input })
    else {
      state.journal.append(.noReceiver(input: input), by: origin)
      return .none
    }
    // Receivers may have different types for the same input.
    let template = target.others[feature.info.name] ?? target.template
    do {
      let made = try feature.input(input, payload: template.resolved(payload))
      state.journal.append(
        .notified(receiver, node: graph.nodes[instance.node].name, input: input), by: origin)
      return .send(.instance(receiver, made))
    } catch {
      state.journal.append(.dropped(Rejection(.invalid, describe(error))), by: origin)
      return .none
    }
  }
}

extension Receiver {
  /// The node that the receiver names; `nil` for a keyword such as `presenter`.
  fileprivate var node: Int? {
    switch self {
    case .node(let node), .all(let node): node
    case .presenter, .opener, .current: nil
    }
  }
}

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
