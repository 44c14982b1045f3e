@_spi(Host) internal import AppCore
internal import Manifest
internal import Support

extension GraphBuilder {
  /// The manifest's routes, expanded: one for each pair of a node and an action.
  mutating func routes() -> [Route] {
    var result: [Route] = []
    var named: Set<RouteKey> = []
    for route in manifest.routes {
      guard case .nodes(let sources) = route.source else { continue }
      checkSources(sources, route)
      for source in sources {
        guard let node = source.id?.index, let info = features[node] else { continue }
        for action in route.actions {
          counter.count()
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
    for route in manifest.routes {
      guard case .any = route.source else { continue }
      for action in route.actions where known.insert(action.value).inserted {
        let emitters = index.emitters[action.value] ?? []
        for node in emitters {
          counter.count()
          guard !named.contains(RouteKey(node: node, action: action.value)),
            let delegate = features[node]?.delegates.first(where: { $0.name == action.value }),
            canExpand(route)
          else { continue }
          result.append(self.route(node, delegate, route))
        }
        if emitters.isEmpty, !hasUnknownFeature, !gaps.contains(.nodes) {
          let names = delegateNames
          report(
            .noSuchDelegate(
              action.value, nearest: suggestions.nearest(to: action.value, among: names),
              allowed: names),
            action.range)
        }
      }
    }
    if !gaps.contains(.nodes) { checkFires(named) }
    return result
  }

  /// Whether one more pair of node and action is within the limit; exceeding it is reported once.
  private mutating func canExpand(_ route: Manifest.Route) -> Bool {
    guard expansions <= Self.expansionLimit else { return false }
    expansions += max(1, route.steps.count)
    guard expansions > Self.expansionLimit else { return true }
    report(.tooManyPairs(limit: Self.expansionLimit), route.range)
    return false
  }

  /// The names of all delegate actions, sorted.
  private var delegateNames: [String] { index.emitters.keys.sorted() }

  /// Checks that a node emits each action, and that each node emits one of the actions.
  private mutating func checkSources(_ sources: [NodeReference], _ route: Manifest.Route) {
    // A route without actions is already reported.
    guard !route.actions.isEmpty else { return }
    counter.count(sources.count + route.actions.count)
    var features: [FeatureInfo] = []
    var emitting: [NodeReference] = []
    var isKnown = true
    for source in sources {
      if let id = source.id, case .container = manifest[id].content {
        report(.idleSource(node: source.name, actions: route.actions.map(\.value)), source.range)
      } else if let info = source.id.flatMap({ self.features[$0.index] }) {
        features.append(info)
        emitting.append(source)
      } else {
        isKnown = false
      }
    }
    guard isKnown, let first = features.first else { return }
    let names = Set(features.lazy.flatMap(\.delegates).map(\.name)).sorted()
    let delegates = Set(names)
    let unknown = route.actions.filter { !delegates.contains($0.value) }
    for action in unknown {
      let nearest = suggestions.nearest(to: action.value, among: names)
      report(
        features.count == 1
          ? .unknownDelegate(action.value, feature: first.name, nearest: nearest, allowed: names)
          : .noSuchDelegate(action.value, nearest: nearest, allowed: names),
        action.range)
    }
    // An unknown action is the cause.
    guard unknown.isEmpty else { return }
    let actions = Set(route.actions.map(\.value))
    for (source, info) in zip(emitting, features)
    where !info.delegates.contains(where: { actions.contains($0.name) }) {
      report(.idleSource(node: source.name, actions: route.actions.map(\.value)), source.range)
    }
  }

  /// Collects the probable meanings of unknown actions in routes.
  ///
  /// A missing route is then explained by the misspelt action.
  mutating func findMeantActions() {
    let names = delegateNames
    var nearest: [String: [String: String?]] = [:]
    for route in manifest.routes {
      guard case .nodes(let sources) = route.source else {
        for action in route.actions where index.emitters[action.value] == nil {
          counter.count()
          if let meant = suggestions.nearest(to: action.value, among: names) {
            self.meant.byAny.insert(meant.name)
          }
        }
        continue
      }
      for source in sources {
        guard let node = source.id?.index else {
          // The node is unknown; it may be any that has the action.
          counter.count(route.actions.count)
          meant.byAny.formUnion(route.actions.map(\.value))
          continue
        }
        guard let info = features[node] else {
          // A container emits nothing, so another node was meant.
          counter.count(route.actions.count)
          meant.byAny.formUnion(route.actions.map(\.value))
          continue
        }
        for action in route.actions {
          counter.count()
          let known = nearest[info.name]?[action.value]
          let found =
            known
            ?? (info.delegates.contains { $0.name == action.value }
              ? nil : NearestName.of(action.value, among: info.delegates.lazy.map(\.name)))
          nearest[info.name, default: [:]][action.value] = found
          if let found { meant.byNode[node, default: []].insert(found) }
          // If other nodes emit it, one of them was probably meant.
          if found == nil, index.emitters[action.value] != nil,
            !info.delegates.contains(where: { $0.name == action.value })
          {
            meant.byAny.insert(action.value)
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
    var supplies: [Route.Supply: ArgumentTemplate] = [:]
    var verbs: [RouteVerb] = []
    for step in route.steps {
      counter.count()
      // The next verb may leave the instance that an entering verb brought to the front.
      if step.verb.enters || step.verb == .reset { isEmitter = false }
      if standsNowhere, isEmitter, step.verb.leaves {
        let name = manifest.nodes[node].name.value
        report(
          .neverApplies(
            verb: step.verb.rawValue,
            reason: "'\(name)' runs in the background and has no place that it could leave"),
          step.verbRange)
      }
      otherSupplies = [:]
      guard let verb = verb(step, from: node, action: delegate.name, payload: payload) else {
        continue
      }
      for (receiver, template) in otherSupplies {
        supplies[Route.Supply(verb: verbs.count, feature: receiver)] = template
      }
      verbs.append(verb)
    }
    return Route(node: node, action: delegate.name, verbs: verbs, supplies: supplies)
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
    func target(_ reference: NodeReference, _ builder: inout GraphBuilder) -> Target? {
      builder.target(reference, step.with, payload: payload, at: reference.range)
    }
    switch step.action {
    case .push(let reference):
      return target(reference, &self).map { .push($0, singleTop: step.isSingleTop, ifCovered) }
    case .present(let reference): return target(reference, &self).map { .present($0, ifCovered) }
    case .replace(let reference): return target(reference, &self).map { .replace($0, ifCovered) }
    case .reset(let reference): return target(reference, &self).map { .reset($0) }
    case .select(let reference):
      guard let id = reference.id else { return nil }
      // A misspelt tab may mean this node.
      if index.containers[id.index] == nil, !hasWrongTabs, !gaps.contains(.nodes) {
        report(
          .neverApplies(verb: "select", reason: "'\(reference.name)' is not a tab of any node"),
          reference.range)
      }
      return .select(node: id.index, ifCovered)
    case .popTo(.node(let reference)):
      return reference.id.map { .popTo(.node($0.index), inclusive: step.isInclusive) }
    case .popTo(.root):
      if step.isInclusive {
        report(
          .neverApplies(verb: "popTo", reason: "without its root the stack would be empty"),
          step.verbRange)
      }
      return .popTo(.root, inclusive: step.isInclusive)
    case .notify(let receiver):
      return notify(receiver, step, from: node, action: action, payload: payload)
    case .back: return .back
    case .dismiss: return .dismiss
    case .ignore: return .ignore
    }
  }

  private mutating func notify(
    _ receiver: Manifest.Step.Receiver, _ step: Manifest.Step, from node: Int, action: String,
    payload: Schema
  ) -> RouteVerb? {
    let input = step.input?.value ?? action
    let place = step.input?.range ?? step.verbRange
    let receiving: [InputIndex.Entry]
    let result: Receiver
    var index = InputIndex([])
    switch receiver {
    case .node(let reference):
      guard let id = reference.id else { return nil }
      receiving =
        features[id.index].map { info in
          info.inputs.filter { $0.name == input }.map { (info, $0) }
        } ?? []
      result = step.isToAll ? .all(id.index) : .node(id.index)
    case .presenter:
      index = inputs(ofPresenterOf: node)
      receiving = index[input]
      result = .presenter
    case .opener:
      index = inputs(ofOpenerOf: node)
      receiving = index[input]
      result = .opener
    case .current:
      index = inputsOfCurrent()
      receiving = index[input]
      result = .current
    }
    guard let first = receiving.first else {
      reportNoInput(input, receiver, among: index, isWritten: step.input != nil, at: place)
      return .notify(result, input: input, .empty)
    }
    let template = arguments(of: step, for: first, payload: payload)
    // Most receivers have inputs of the same shape: each shape is checked once.
    var templates = [first.input.payload: template]
    for other in receiving.dropFirst() {
      counter.count()
      let known = templates[other.input.payload]
      let own = known ?? arguments(of: step, for: other, payload: payload)
      templates[other.input.payload] = own
      if own != template { otherSupplies[other.feature.name] = own }
    }
    return .notify(result, input: input, template)
  }

  private mutating func arguments(
    of step: Manifest.Step, for receiver: InputIndex.Entry, payload: Schema
  ) -> ArgumentTemplate {
    let owner = "\(receiver.feature.name).\(receiver.input.name)"
    let schema = receiver.input.payload ?? .object([])
    if case .object(let fields) = schema {
      checkComplete(FieldTable(fields), given: [step.with], owner: owner, at: step.verbRange)
    } else if step.with == nil {
      report(.missingField("with", of: owner, type: schema.phrase), step.verbRange)
    }
    return template(step.with, as: schema, owner: owner, payload: payload)
  }

  private mutating func reportNoInput(
    _ input: String, _ receiver: Manifest.Step.Receiver, among index: InputIndex,
    isWritten: Bool, at range: SourceRange
  ) {
    switch receiver {
    case .node(let reference):
      if let id = reference.id, case .container = manifest[id].content {
        report(.noReceiver(input, receiver: reference.name), reference.range)
      }
      // Unknown features are reported where they are named.
      guard let info = reference.id.flatMap({ features[$0.index] }) else { return }
      let names = info.inputs.map(\.name)
      report(
        .unknownInput(
          input, feature: info.name, nearest: suggestions.nearest(to: input, among: names),
          allowed: names), range)
    case .presenter, .opener, .current:
      guard !hasUnknownFeature, knowsPlaces, !hasUnresolvedNames, let word = receiver.word else {
        return
      }
      let names = index.names
      let finding = Finding.noReceiver(
        input, receiver: word, nearest: suggestions.nearest(to: input, among: names),
        allowed: names)
      // Without `as`, what is written here is the verb.
      report(isWritten ? finding : finding.withoutCorrection, range)
    }
  }
}
