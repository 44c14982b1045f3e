@_spi(Host) internal import AppCore
internal import Manifest
internal import Navigation
internal import Support

extension GraphBuilder {
  /// The manifest's routes, expanded: one for each pair of a node and an action.
  mutating func routes() -> [Route] {
    expansions = 0
    var result: [Route] = []
    var named: Set<RouteKey> = []
    for route in manifest.routes where route.any == nil {
      checkSources(route)
      for source in route.sources {
        guard let node = source.id?.index, let info = features[node] else { continue }
        for action in route.actions {
          guard let delegate = info.delegates.first(where: { $0.name == action.value }),
            named.insert(RouteKey(node: node, action: action.value)).inserted,
            canExpand(route)
          else { continue }
          result.append(self.route(node, delegate, route))
        }
      }
    }
    // A route that names the node takes precedence over one for `any`; duplicates are reported.
    var known: Set<String> = []
    for route in manifest.routes where route.any != nil {
      for action in route.actions where known.insert(action.value).inserted {
        let emitters = index.emitters[action.value] ?? []
        for node in emitters {
          guard !named.contains(RouteKey(node: node, action: action.value)),
            let delegate = features[node]?.delegates.first(where: { $0.name == action.value }),
            canExpand(route)
          else { continue }
          result.append(self.route(node, delegate, route))
        }
        if emitters.isEmpty, !index.hasUnknownFeature, !gaps.contains(.nodes) {
          reportUnknown(action, among: index.emitters.keys.sorted(), of: nil)
        }
      }
    }
    if !gaps.contains(.nodes), !hasTooManyPairs { checkIdle(named) }
    return result
  }

  /// Whether one more pair of node and action is within the limit; exceeding it is reported once.
  private mutating func canExpand(_ route: Manifest.Route) -> Bool {
    guard !hasTooManyPairs else { return false }
    expansions += max(1, route.steps.count)
    guard expansions > expansionLimit else { return true }
    hasTooManyPairs = true
    report(
      .tooManyPairs, at: route.range,
      "the routes expand to more than the limit of \(expansionLimit) pairs of node and action, "
        + "counting the values under their 'with'")
    return false
  }

  /// Reports a delegate action that a feature does not have or, without one, that none has.
  private mutating func reportUnknown(
    _ action: Located<String>, among names: [String], of feature: FeatureInfo?
  ) {
    let nearest = suggestions.nearest(to: action.value, among: names)
    let name = quote(action.value)
    report(
      .unknownDelegate, at: action.range,
      feature.map {
        "the feature \(quote($0.name)) has no delegate action \(name)"
          + Wording.hint(nearest, names, what: "it has")
      }
        ?? "no feature here has the delegate action \(name)"
        + Wording.hint(nearest, names, what: "there are"),
      correction: .init(action.value, nearest))
  }

  /// Checks that a node emits each action, and that each node emits one of the actions.
  private mutating func checkSources(_ route: Manifest.Route) {
    // A route without actions is already reported.
    guard !route.actions.isEmpty else { return }
    var emitting: [(source: NodeReference, info: FeatureInfo)] = []
    var isKnown = true
    for source in route.sources {
      if let id = source.id, manifest[id].isContainer {
        reportIdle(source, route)
      } else if let info = source.id.flatMap({ features[$0.index] }) {
        emitting.append((source, info))
      } else {
        isKnown = false
      }
    }
    guard isKnown, let first = emitting.first else { return }
    let delegates = Set(emitting.lazy.flatMap(\.info.delegates).map(\.name))
    let unknown = route.actions.filter { !delegates.contains($0.value) }
    for action in unknown {
      reportUnknown(action, among: delegates.sorted(), of: emitting.count == 1 ? first.info : nil)
    }
    // An unknown action is the cause.
    guard unknown.isEmpty else { return }
    let actions = Set(route.actions.map(\.value))
    for (source, info) in emitting
    where !info.delegates.contains(where: { actions.contains($0.name) }) {
      reportIdle(source, route)
    }
  }

  private mutating func reportIdle(_ source: NodeReference, _ route: Manifest.Route) {
    report(
      .idleSource, at: source.range,
      "the node \(quote(source.name)) has none of the actions "
        + Wording.list(route.actions.map(\.value)))
  }

  /// Collects the probable meanings of unknown actions in routes.
  ///
  /// A missing route is then explained by the misspelt action.
  mutating func findMeantActions() {
    let names = index.emitters.keys.sorted()
    var nearest: [String: [String: String?]] = [:]
    for route in manifest.routes {
      if route.any != nil {
        for action in route.actions where index.emitters[action.value] == nil {
          if let meant = suggestions.nearest(to: action.value, among: names) {
            meantActionsOfAny.insert(meant.name)
          }
        }
      }
      for source in route.sources {
        // An unknown node may be any that has the action; a container emits nothing, so another
        // node was meant.
        guard let node = source.id?.index, let info = features[node] else {
          meantActionsOfAny.formUnion(route.actions.map(\.value))
          continue
        }
        for action in route.actions {
          if info.delegates.contains(where: { $0.name == action.value }) { continue }
          let found =
            nearest[info.name]?[action.value]
            ?? NearestName.of(action.value, among: info.delegates.lazy.map(\.name))
          nearest[info.name, default: [:]][action.value] = found
          if let found {
            meantActions[node, default: []].insert(found)
          } else if index.emitters[action.value] != nil {
            // If other nodes emit it, one of them was probably meant.
            meantActionsOfAny.insert(action.value)
          }
        }
      }
    }
  }

  private mutating func route(
    _ node: Int, _ delegate: CaseSchema, _ route: Manifest.Route
  ) -> Route {
    let payload = delegate.payload ?? .object([])
    let standsNowhere = isOnlyBackground(node)
    var isEmitter = true
    var verbs: [RouteVerb] = []
    for step in route.steps {
      // The next verb may leave the instance that an entering verb brought to the front.
      if step.verb.enters || step.verb == .reset { isEmitter = false }
      if standsNowhere, isEmitter, step.verb.leaves {
        let name = manifest.nodes[node].name.value
        reportNever(step, "'\(name)' runs in the background and has no place that it could leave")
      }
      if let verb = verb(step, from: node, action: delegate.name, payload: payload) {
        verbs.append(verb)
      }
    }
    return Route(node: node, action: delegate.name, verbs: verbs)
  }

  private mutating func verb(
    _ step: Manifest.Step, from node: Int, action: String, payload: Schema
  ) -> RouteVerb? {
    let ifCovered: IfCovered =
      switch step.ifCovered?.value {
      case .cut: .cut
      case .over: .over
      case .refuse, nil: .refuse
      }
    let id = step.target?.id?.index
    func target() -> Target? {
      step.target.flatMap { self.target($0, step.with, payload: payload) }
    }
    switch step.verb {
    case .push: return target().map { .push($0, singleTop: step.isSingleTop, ifCovered) }
    case .present: return target().map { .present($0, ifCovered) }
    case .replace: return target().map { .replace($0, ifCovered) }
    case .reset: return target().map { .reset($0) }
    case .select:
      guard let id, let reference = step.target else { return nil }
      // A misspelt tab may mean this node.
      if index.containers[id] == nil, !hasWrongTabs, !gaps.contains(.nodes) {
        reportNever("select", "'\(reference.name)' is not a tab of any node", at: reference.range)
      }
      return .select(node: id, ifCovered)
    case .popTo:
      guard step.word != nil else {
        return id.map { .popTo(.node($0), inclusive: step.isInclusive) }
      }
      if step.isInclusive { reportNever(step, "without its root the stack would be empty") }
      return .popTo(.root, inclusive: step.isInclusive)
    case .notify: return notify(step, from: node, action: action, payload: payload)
    case .back: return .back
    case .dismiss: return .dismiss
    case .quit: return .quit
    case .ignore: return .ignore
    }
  }

  private mutating func notify(
    _ step: Manifest.Step, from node: Int, action: String, payload: Schema
  ) -> RouteVerb? {
    let input = step.input?.value ?? action
    let index: InputIndex
    let receiver: Receiver
    switch step.word {
    case .presenter: (index, receiver) = (presenters.inputs(of: node), .presenter)
    case .opener: (index, receiver) = (inputs(ofOpenerOf: node), .opener)
    case .current: (index, receiver) = (inputsOfCurrent, .current)
    case .root, nil:
      guard let id = step.target?.id?.index else { return nil }
      index = InputIndex([features[id]])
      receiver = step.isToAll ? .all(id) : .node(id)
    }
    guard let receiving = index[input], let first = receiving.first else {
      reportNoInput(input, step, among: index)
      return .notify(receiver, input: input, .empty)
    }
    let template = arguments(of: step, for: first, payload: payload)
    // Most receivers have inputs of the same shape: each shape is checked once.
    var templates = [first.input.payload: template]
    var others: [String: ArgumentTemplate] = [:]
    for other in receiving.dropFirst() {
      let own = templates[other.input.payload] ?? arguments(of: step, for: other, payload: payload)
      templates[other.input.payload] = own
      if own != template { others[other.feature.name] = own }
    }
    return .notify(receiver, input: input, template, others: others)
  }

  private mutating func arguments(
    of step: Manifest.Step, for receiver: InputIndex.Value.Element, payload: Schema
  ) -> ArgumentTemplate {
    let owner = "\(receiver.feature.name).\(receiver.input.name)"
    let schema = receiver.input.payload ?? .object([])
    if case .object(let fields) = schema {
      checkComplete(FieldTable(fields), given: [step.with], owner: owner, at: step.verbRange)
    } else if step.with == nil {
      report(
        .missingField, at: step.verbRange,
        "'with' is missing for \(quote(owner)); it is \(schema.phrase)")
    }
    return template(step.with, as: schema, owner: owner, payload: payload)
  }

  private mutating func reportNoInput(
    _ input: String, _ step: Manifest.Step, among index: InputIndex
  ) {
    let range = step.input?.range ?? step.verbRange
    if let word = step.word {
      guard !self.index.hasUnknownFeature, knowsPlaces, !hasUnresolvedNames else { return }
      let names = index.keys.sorted()
      let nearest = suggestions.nearest(to: input, among: names)
      report(
        .noReceiver, at: range,
        "nothing that can be '\(word.rawValue)' here has the input action \(quote(input))"
          + Wording.hint(nearest, names, what: "there are"),
        // Without `as`, what is written here is the verb.
        correction: step.input == nil ? nil : .init(input, nearest))
    } else if let reference = step.target, let id = reference.id {
      if manifest[id].isContainer {
        report(
          .noReceiver, at: reference.range,
          "nothing that can be '\(reference.name)' here has the input action \(quote(input))")
      }
      // Unknown features are reported where they are named.
      guard let info = features[id.index] else { return }
      let names = info.inputs.map(\.name)
      let nearest = suggestions.nearest(to: input, among: names)
      report(
        .unknownInput, at: range,
        "the feature \(quote(info.name)) has no input action \(quote(input))"
          + Wording.hint(nearest, names, what: "it has"), correction: .init(input, nearest))
    }
  }
}

// Verbs that can never apply, whatever the emitter's position, and routes that never do.
extension GraphBuilder {
  mutating func checkVerbs() {
    // A node whose name is unknown could be anywhere.
    guard !hasUnresolvedNames, manifest.start?.id != nil else { return }
    for (position, route) in manifest.routes.enumerated() {
      let sources = index.sources[position].filter { reached.contains($0) }
      guard !sources.isEmpty else { continue }
      var anchor = placements.anchor(ofRoute: position, from: sources)
      for step in route.steps {
        if let anchor { check(step, at: anchor) }
        anchor = placements.anchor(after: step, at: anchor)
      }
    }
  }

  private mutating func check(_ step: Manifest.Step, at nodes: [Int]) {
    let target = step.target?.id?.index
    switch step.verb {
    case .dismiss where !nodes.contains(where: placements.inModal.contains):
      reportNever(step, "\(names(nodes)) can't be in a dialog")
    case .back where !nodes.contains(where: placements.canGoBack.contains):
      reportNever(step, "there is nothing beneath \(names(nodes))")
    case .popTo:
      // For a node that nothing reaches, that is the cause.
      guard let reference = step.target, let target, reached.contains(target) else { return }
      if step.isInclusive, !placements.canGoBack.contains(target) {
        reportNever(step, "there is nothing beneath '\(reference.name)'")
        return
      }
      guard !placements.canBeOutward(placements.wanted([target]), from: nodes) else { return }
      reportNever(step, "'\(reference.name)' can't be on the way back from \(names(nodes))")
    case .select:
      guard step.ifCovered?.value != .over, let reference = step.target, let target,
        // A node that is not a tab at all is reported with the route.
        let containers = index.containers[target],
        case let wanted = containersWanted(of: target, containers), wanted.isReached,
        !placements.canBeOutward(wanted.wanted, from: nodes)
      else { return }
      reportNever(
        step,
        "\(names(nodes)) can't be in \(names(containers)), which has the tab '\(reference.name)'")
    default: break
    }
  }

  /// The containers that a `select` of a tab searches for; cached.
  private mutating func containersWanted(
    of tab: Int, _ containers: [Int]
  ) -> (wanted: PlacementAnalysis.Wanted, isReached: Bool) {
    if let known = wantedContainers[tab] { return known }
    let made = (placements.wanted(containers), containers.contains(where: reached.contains))
    wantedContainers[tab] = made
    return made
  }

  /// `'a'`, or `'a' and 2 more`.
  private func names(_ nodes: [Int]) -> String {
    let first = nodes.first.map { "'\(manifest.nodes[$0].name.value)'" } ?? "it"
    return nodes.count > 1 ? "\(first) and \(nodes.count - 1) more" : first
  }

  /// Warns about routes for `any` that other routes always take precedence over.
  private mutating func checkIdle(_ named: Set<RouteKey>) {
    for (position, route) in manifest.routes.enumerated() {
      guard let range = route.any, !index.sources[position].isEmpty,
        !index.hasUnknownSources[position]
      else { continue }
      let applies = route.actions.contains { action in
        index.emitters[action.value]?.contains { node in
          !named.contains(RouteKey(node: node, action: action.value))
        } ?? false
      }
      if applies { continue }
      report(
        .idleRoute, at: range,
        "this route never applies: every node that emits "
          + "\(Wording.list(route.actions.map(\.value))) has a route of its own")
    }
  }
}
