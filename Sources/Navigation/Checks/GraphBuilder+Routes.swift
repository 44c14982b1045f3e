@_spi(Host) internal import AppCore
internal import Diagnostics
internal import Manifest
internal import Support

extension GraphBuilder {
  /// The manifest's routes, spelled out: one for each node and action they are for.
  mutating func routes() -> [Route] {
    var result: [Route] = []
    var named: Set<RouteKey> = []
    for route in manifest.routes {
      guard case .nodes(let sources) = route.source else { continue }
      checkSources(sources, route)
      for source in sources {
        guard let node = source.id?.index, let info = features[node] else { continue }
        for action in route.actions {
          guard let delegate = info.delegates.first(where: { $0.name == action.value }) else {
            continue
          }
          named.insert(RouteKey(node: node, action: action.value))
          result.append(self.route(node, delegate, route))
        }
      }
    }
    // A route that names the node wins over one for any.
    for route in manifest.routes {
      guard case .any = route.source else { continue }
      for action in route.actions {
        var isKnown = features.contains(nil) && hasUnknownFeature
        for (node, info) in features.enumerated() {
          guard let delegate = info?.delegates.first(where: { $0.name == action.value }) else {
            continue
          }
          isKnown = true
          if named.contains(RouteKey(node: node, action: action.value)) { continue }
          result.append(self.route(node, delegate, route))
        }
        if !isKnown {
          let names = Set(features.flatMap { $0?.delegates.map(\.name) ?? [] }).sorted()
          report(
            .noSuchDelegate(
              action.value, nearest: NearestName.of(action.value, among: names), allowed: names),
            action.range)
        }
      }
    }
    if !hasGaps { checkFires(named) }
    return result
  }

  /// Whether a node's feature can't be known, so that nothing can be said of what it emits.
  private var hasUnknownFeature: Bool {
    zip(manifest.nodes, features).contains { $0.feature != nil && $1 == nil }
  }

  /// Checks that every action is one of a node, and every node has one of the actions.
  private mutating func checkSources(_ sources: [NodeReference], _ route: Manifest.Route) {
    // That there are none was reported where they should stand.
    guard !route.actions.isEmpty else { return }
    let containers = sources.filter { source in
      guard let id = source.id, case .container = manifest[id].content else { return false }
      return true
    }
    for source in containers {
      report(.idleSource(node: source.name, actions: route.actions.map(\.value)), source.range)
    }
    let sources = sources.filter { !containers.contains($0) }
    let known = sources.map { source in source.id.flatMap { features[$0.index] } }
    guard !sources.isEmpty, !known.contains(where: { $0 == nil }) else { return }
    let delegates = known.compactMap { $0?.delegates.map(\.name) }
    for action in route.actions where !delegates.contains(where: { $0.contains(action.value) }) {
      let names = Set(delegates.joined()).sorted()
      let nearest = NearestName.of(action.value, among: names)
      if let info = known.first ?? nil, known.count == 1 {
        report(
          .unknownDelegate(action.value, feature: info.name, nearest: nearest, allowed: names),
          action.range)
      } else {
        report(.noSuchDelegate(action.value, nearest: nearest, allowed: names), action.range)
      }
    }
    let actions = route.actions.map(\.value)
    // Where an action is unknown, that is the cause.
    guard actions.allSatisfy({ action in delegates.contains { $0.contains(action) } }) else {
      return
    }
    for (source, names) in zip(sources, delegates) where !names.contains(where: actions.contains) {
      report(.idleSource(node: source.name, actions: actions), source.range)
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
      // From what an entering verb brought to the front, the next may leave.
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
        supplies[Route.Supply(verb: verbs.count, node: receiver)] = template
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
      if !manifest.nodes.contains(where: { $0.tabs.contains { $0.node.id == id } }) {
        report(
          .neverApplies(verb: "select", reason: "'\(reference.name)' is no tab of any node"),
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
    let candidates: [Int]
    let result: Receiver
    switch receiver {
    case .node(let reference):
      guard let id = reference.id else { return nil }
      candidates = [id.index]
      result = .node(id.index)
    case .presenter:
      candidates = presenters(of: node)
      result = .presenter
    case .opener:
      candidates = openers(of: node)
      result = .opener
    case .current:
      candidates = features.indices.filter { !isOnlyBackground($0) }
      result = .current
    }
    let known = candidates.compactMap { features[$0] }
    let receiving = candidates.compactMap { candidate -> (Int, FeatureInfo, CaseSchema)? in
      guard let info = features[candidate],
        let entry = info.inputs.first(where: { $0.name == input })
      else { return nil }
      return (candidate, info, entry)
    }
    guard let (_, info, entry) = receiving.first else {
      reportNoInput(input, receiver, candidates: known, at: place)
      return .notify(result, input: input, .empty)
    }
    let template = arguments(of: step, for: info, entry, payload: payload)
    // What is due has one shape for most receivers: each shape is looked at once.
    var templates = [entry.payload: template]
    for (candidate, other, otherEntry) in receiving.dropFirst() {
      let known = templates[otherEntry.payload]
      let own = known ?? arguments(of: step, for: other, otherEntry, payload: payload)
      templates[otherEntry.payload] = own
      if own != template { otherSupplies[candidate] = own }
    }
    return .notify(result, input: input, template)
  }

  private mutating func arguments(
    of step: Manifest.Step, for info: FeatureInfo, _ entry: CaseSchema, payload: Schema
  ) -> ArgumentTemplate {
    let owner = "\(info.name).\(entry.name)"
    let schema = entry.payload ?? .object([])
    if case .object(let fields) = schema {
      checkComplete(fields, given: [step.with], owner: owner, at: step.verbRange)
    } else if step.with == nil {
      report(.missingField("with", of: owner, type: schema.phrase), step.verbRange)
    }
    return template(step.with, as: schema, owner: owner, payload: payload)
  }

  private mutating func reportNoInput(
    _ input: String, _ receiver: Manifest.Step.Receiver, candidates: [FeatureInfo],
    at range: SourceRange
  ) {
    switch receiver {
    case .node(let reference):
      if let id = reference.id, case .container = manifest[id].content {
        report(.noReceiver(input, receiver: reference.name), reference.range)
      }
      // Unknown features are reported where they are named.
      guard let info = candidates.first else { return }
      let names = info.inputs.map(\.name)
      report(
        .unknownInput(
          input, feature: info.name, nearest: NearestName.of(input, among: names),
          allowed: names), range)
    case .presenter, .opener, .current:
      guard !hasUnknownFeature else { return }
      let word =
        switch receiver {
        case .presenter: "presenter"
        case .opener: "opener"
        default: "current"
        }
      report(.noReceiver(input, receiver: word), range)
    }
  }
}
