@_spi(Host) public import AppCore
internal import Support

/// The root reducer: it applies the graph's rules, and runs the features' reducers.
///
/// An action for an instance goes to that instance's feature. A delegate action goes to the route
/// that the graph has for it, and never back to the feature.
/// - Complexity: the cost of an action does not depend on the depth or the number of instances; a
///   step that removes instances is O(*n*), where *n* is the number of those.
public struct Router: Reducer {
  let factory: InstanceFactory
  let features: FeatureTable
  let calls: CallRecorder
  var graph: Graph { factory.graph }

  /// Creates the reducer of an app, with the feature of each node, in the order of the graph's
  /// nodes; `nil` for containers.
  @_spi(Host) public init(
    graph: Graph, features: [LoadedFeature?], calls: CallRecorder = CallRecorder()
  ) {
    self.init(graph: graph, features: FeatureTable(features), calls: calls)
  }

  /// Creates the reducer of an app that may make some of its features later.
  package init(graph: Graph, features: FeatureTable, calls: CallRecorder = CallRecorder()) {
    factory = InstanceFactory(graph: graph, features: features, calls: calls)
    self.features = features
    self.calls = calls
  }

  public func reduce(into state: inout AppState, action: AppAction) -> Effect<AppAction> {
    switch action {
    case .instance(let id, let action): reduce(&state, id, action)
    case .navigate(let navigation): state.isClosing ? .none : navigate(&state, navigation)
    case .restore(let replacement), .adopt(let replacement): replace(&state, replacement)
    case .resume(let id, let own): resume(&state, id, own)
    case .end: end(&state)
    case .report(let report): handle(&state, report)
    }
  }

  private func reduce(
    _ state: inout AppState, _ id: InstanceID, _ action: AnyAction
  ) -> Effect<AppAction> {
    // Locals, because the closure would otherwise capture a copy of the router.
    let features = features
    let (record, app) = (calls.record, calls.app)
    // One lookup, and in place: a state with a second reference would be copied when it is written.
    let outcome = state.instances.update(id) { instance -> Outcome in
      guard instance.state != nil, let feature = features[instance.node] else { return .ignored }
      record.begin(action, node: instance.node, instance: id)
      defer { record.end() }
      // swift-format-ignore: NeverForceUnwrap
      switch feature.reduce(&instance.state!, action, in: InstanceScope(id, app: app)) {
      case .reduced(let effect):
        return effect.isNone ? .ignored : .effect(effect, node: instance.node)
      case .delegate: return .delegate(node: instance.node, feature)
      case .foreign: return .foreign(node: instance.node)
      }
    }
    switch outcome {
    case .ignored?: return .none
    case .effect(let effect, let node)?: return scoped(effect, id, node)
    case .foreign(let node)?:
      state.journal.append(
        .dropped(.outdated),
        by: .instance(id, node: graph.nodes[node].name, action: action.text))
      return .none
    case .delegate(let node, let feature)? where !state.isClosing:
      return delegate(&state, id, node, feature, action)
    case .delegate?:
      state.journal.append(.dropped(.gone), by: .formerInstance(id))
      return .none
    case nil:
      if !state.ending.isEmpty, let effect = reduceEnding(&state, id, action) { return effect }
      state.journal.append(.dropped(.gone), by: .formerInstance(id))
      return .none
    }
  }

  private enum Outcome {
    case ignored
    case effect(Effect<AnyAction>, node: Int)
    case delegate(node: Int, LoadedFeature)
    case foreign(node: Int)
  }

  /// Turns an instance's effect into one of the app, which ends with the instance.
  func scoped(
    _ effect: Effect<AnyAction>, _ id: InstanceID, _ node: Int
  ) -> Effect<AppAction> {
    effect.mapped { AppAction.instance(id, $0) }
      .scoped(to: InstanceScope(id, node: node, app: calls.app))
  }

  func endScope(of id: InstanceID) -> Effect<AppAction> {
    .endScope(InstanceScope(id, app: calls.app))
  }

  private func delegate(
    _ state: inout AppState, _ id: InstanceID, _ node: Int, _ feature: LoadedFeature,
    _ action: AnyAction
  ) -> Effect<AppAction> {
    do {
      guard let (name, payload) = try feature.delegate(of: action) else { return .none }
      return route(&state, from: id, node: node, action: name, payload: payload)
    } catch {
      let description = action.text
      state.journal.append(
        .dropped(Rejection(.invalid, describe(error))),
        by: .instance(id, node: graph.nodes[node].name, action: description))
      return .none
    }
  }

  /// Runs a hook on an instance's state in place, and returns its effect as one of the app.
  func update(
    _ state: inout AppState, _ id: InstanceID,
    _ body: (inout InstanceState) -> Effect<AnyAction>
  ) -> Effect<AppAction> {
    var node = 0
    let app = calls.app
    let effect = state.instances.update(id) { instance -> Effect<AnyAction> in
      guard instance.state != nil else { return .none }
      node = instance.node
      // In place: a state with a second reference would be copied when it is written.
      // swift-format-ignore: NeverForceUnwrap
      return ScopedReducer.run(in: InstanceScope(id, app: app)) { body(&instance.state!) }
    }
    guard let effect, !effect.isNone else { return .none }
    return scoped(effect, id, node)
  }

  private func navigate(
    _ state: inout AppState, _ navigation: AppAction.Navigation
  ) -> Effect<AppAction> {
    let start = ContinuousClock.now
    let origin = navigation.origin(in: graph)
    let anchor = state.current ?? InstanceID(index: .max, generation: .max)
    var change = Change(factory: factory, anchor: anchor)
    do throws(Rejection) {
      switch navigation {
      case .begin: try state.begin(graph, change: &change)
      case .back: try state.back(change: &change)
      case .dismiss: try state.dismiss(change: &change)
      case .select(let node): try state.selectVisible(node: node, change: &change)
      case .open(let plan), .openWaiting(let plan):
        if let needs = plan.needs, state.navigation.lastOfNode[needs] == nil {
          state.waitingLink = plan
          state.journal.append(
            .waiting(link: plan.address, node: graph.nodes[needs].name), by: origin)
          return .none
        }
        state.waitingLink = nil
        var draft = state
        try draft.open(plan, change: &change)
        state = draft
      }
    } catch {
      state.journal.append(
        .refused(
          node: graph.nodes[state.instances[anchor]?.node ?? graph.start.node].name,
          action: navigation.refusedAction, error),
        by: origin, took: ContinuousClock.now - start)
      return .none
    }
    state.journal.append(
      .navigated(verbs: [navigation.word]), by: origin, took: ContinuousClock.now - start)
    return commit(&state, change)
  }

  /// Calls the `willEnd` hook of every instance, because the app is about to end.
  ///
  /// From now on no route is taken: it could remove an instance, whose hook would be called again,
  /// or open one that is never seen.
  private func end(_ state: inout AppState) -> Effect<AppAction> {
    state.isClosing = true
    return .merge(
      state.instances.ids.compactMap { id in
        guard let node = state.instances.read(id, { $0.node }), let feature = features[node] else {
          return nil
        }
        return calls.during(.willEnd, node: node, instance: id) {
          update(&state, id) { feature.willEnd(&$0) }
        }
      })
  }

  /// Ends removed instances and starts new ones.
  func commit(_ state: inout AppState, _ change: Change) -> Effect<AppAction> {
    // An instance that the same step has created and removed has not started, so it need not end.
    let begun = change.ended.isEmpty ? [] : Set(change.begun)
    var effects = change.ended.map { removed in
      begun.contains(removed.id) ? endScope(of: removed.id) : end(removed, in: &state)
    }
    for id in change.begun {
      guard let node = state.instances[id]?.node else { continue }
      effects.append(didStart(&state, id, node))
    }
    if let plan = state.waitingLink, let needs = plan.needs,
      state.navigation.lastOfNode[needs] != nil
    {
      state.waitingLink = nil
      effects.append(.send(.navigate(.openWaiting(plan))))
    }
    return .merge(effects)
  }

  func didStart(_ state: inout AppState, _ id: InstanceID, _ node: Int) -> Effect<AppAction> {
    guard let feature = features[node] else { return .none }
    return calls.during(.didStart, node: node, instance: id) {
      update(&state, id) { feature.didStart(&$0) }
    }
  }
}

extension AnyFeature {
  /// Reduces an action of an instance, where its effects are: those of its children that have left
  /// are ended.
  func reduce(
    _ state: inout InstanceState, _ action: AnyAction, in scope: @autoclosure () -> InstanceScope
  ) -> FeatureOutcome {
    guard ScopedReducer.isNeeded else { return reduce(&state, action) }
    return ScopedReducer.run(in: scope()) { reduce(&state, action) }
  }
}

// The effect of a route.
extension Router {
  private func route(
    _ state: inout AppState, from id: InstanceID, node: Int, action: String, payload: Value
  ) -> Effect<AppAction> {
    let name = graph.nodes[node].name
    let origin = NavigationEvent.Origin.instance(id, node: name, action: action)
    state.journal.append(.emitted, by: origin, payload: payload)
    guard let route = graph.route(from: node, action: action) else { return .none }
    let targets = targets(of: route, from: id, in: state)
    var change = Change(factory: factory, anchor: id)
    let navigating = route.verbs.count { $0.navigates }
    let start = ContinuousClock.now
    do throws(Rejection) {
      if navigating <= 1 {
        // A verb checks everything before it changes anything, so a single verb needs no draft.
        try apply(route.verbs, to: &state, payload: payload, change: &change)
      } else {
        var draft = state
        try apply(route.verbs, to: &draft, payload: payload, change: &change)
        state = draft
      }
    } catch {
      state.journal.append(
        .refused(node: name, action: action, error), by: origin,
        took: ContinuousClock.now - start)
      return .none
    }
    if navigating > 0 {
      let words = route.verbs.filter(\.navigates).map(\.word)
      state.journal.append(
        .navigated(verbs: words), by: origin, took: ContinuousClock.now - start)
    }
    let committed = commit(&state, change)
    let notified = targets.map { target in
      notify(&state, target, payload, from: id, by: origin)
    }
    return .merge([committed] + notified)
  }

  private func apply(
    _ verbs: [RouteVerb], to state: inout AppState, payload: Value, change: inout Change
  ) throws(Rejection) {
    for verb in verbs {
      switch verb {
      case .push(let target, let singleTop, let ifCovered):
        try state.push(
          target, payload: payload, singleTop: singleTop, ifCovered, change: &change)
      case .present(let target, let ifCovered):
        try state.present(target, payload: payload, ifCovered, change: &change)
      case .replace(let target, let ifCovered):
        try state.replace(target, payload: payload, ifCovered, change: &change)
      case .select(let node, let ifCovered):
        try state.select(node: node, ifCovered, change: &change)
      case .back: try state.back(change: &change)
      case .dismiss: try state.dismiss(change: &change)
      case .popTo(let target, let inclusive):
        try state.popTo(target, inclusive: inclusive, change: &change)
      case .reset(let target): try state.reset(target, payload: payload, change: &change)
      case .quit: state.hasQuit = true
      case .notify, .ignore: break
      }
    }
  }
}

extension RouteVerb {
  fileprivate var navigates: Bool {
    switch self {
    case .notify, .ignore: false
    default: true
    }
  }
}
