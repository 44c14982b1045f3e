@_spi(Host) internal import AppCore
internal import Diagnostics
internal import Manifest

// Links: what their parameters are, and whether their steps lead anywhere.
extension GraphBuilder {
  /// The manifest's links, checked.
  mutating func links() -> [Link] {
    manifest.links.compactMap { link(of: $0) }
  }

  private mutating func link(of definition: Manifest.Link) -> Link? {
    let types = parameterTypes(of: definition)
    let payload = payload(of: definition, types)
    var steps: [Link.Step] = []
    for step in definition.open {
      guard let made = self.step(step, of: definition, payload: payload) else { return nil }
      steps.append(made)
    }
    if !hasGaps {
      checkBuildable(definition)
      checkNeeded(definition)
    }
    guard !steps.isEmpty else { return nil }
    return Link(path: definition.path, types: types, steps: steps, needs: needed(by: definition))
  }

  private func needed(by link: Manifest.Link) -> Int? { link.needs?.id?.index }

  /// What each parameter is; what can't be is reported.
  private mutating func parameterTypes(of link: Manifest.Link) -> [String: Schema] {
    var typing = ParameterTyping()
    for step in link.open {
      guard let with = step.with, let node = step.target?.id?.index else { continue }
      typing.read(with, as: arguments(of: node))
    }
    for conflict in typing.conflicts {
      problems.append(
        Problem(
          .parameterConflict(
            conflict.name, first: conflict.first.phrase, second: conflict.second.phrase),
          at: conflict.range, related: .init(.other, at: conflict.firstRange)))
    }
    for parameter in link.path.parameters {
      guard let type = typing.types[parameter.value], !type.isSayable else { continue }
      report(.unsayableParameter(parameter.value, type: type.phrase), parameter.range)
    }
    let conflicting = Set(typing.conflicts.map(\.name))
    return typing.types.filter { $0.value.isSayable && !conflicting.contains($0.key) }
  }

  /// What `$` is in a link: its parameters; those behind the `?` may be missing.
  private func payload(of link: Manifest.Link, _ types: [String: Schema]) -> Schema {
    let optional = Set(link.path.query.map(\.parameter))
    var fields = link.path.parameters.map { parameter in
      let type = types[parameter.value] ?? .any
      return Schema.Field(
        name: parameter.value,
        schema: optional.contains(parameter.value) ? .optional(type) : type)
    }
    // Parameters that the link does not have are reported where links are compared.
    let known = Set(fields.map(\.name))
    for reference in link.open.flatMap({ $0.with?.references ?? [] }) {
      guard case .payload(let path) = reference.value, let name = path.first?.value,
        !known.contains(name)
      else { continue }
      fields.append(Schema.Field(name: name, schema: .any))
    }
    return .object(fields)
  }

  private mutating func step(
    _ step: Manifest.Step, of link: Manifest.Link, payload: Schema
  ) -> Link.Step? {
    switch step.action {
    case .push(let reference):
      guard let id = reference.id else { return nil }
      if step.with == nil, id.index == needed(by: link) {
        return .push(Target(node: id.index), isLiving: true)
      }
      return target(reference, step.with, payload: payload, at: reference.range)
        .map { .push($0, isLiving: false) }
    case .present(let reference):
      return target(reference, step.with, payload: payload, at: reference.range)
        .map { .present($0) }
    case .select(let reference): return reference.id.map { .select(node: $0.index) }
    // Refused when the manifest is read.
    case .replace, .popTo, .reset, .notify, .back, .dismiss, .ignore: return nil
    }
  }

  /// Follows the steps on an empty app, and reports the first that can't apply.
  private mutating func checkBuildable(_ link: Manifest.Link) {
    // What stands on the way outward, and where the stacks in it begin.
    var path: [Int] = []
    var stackStart = 0
    func enter(_ node: Int, _ builder: GraphBuilder) {
      path.append(node)
      var inner = node
      // A container that is in itself is reported already.
      for _ in 0..<InstanceMaker.containerLimit {
        guard let first = builder.manifest.nodes[inner].tabs.first?.node.id?.index else { return }
        stackStart = path.count
        path.append(first)
        inner = first
      }
    }
    for (position, step) in link.open.enumerated() {
      guard let node = step.target?.id?.index else { return }
      let definition = manifest.nodes[node]
      if position == 0, step.verb != .push {
        let reason =
          step.verb == .select
          ? "the first step begins an app in which no tabs are shown yet"
          : "the first step begins an app in which it has nothing to lie over"
        return report(.neverApplies(verb: step.verb.rawValue, reason: reason), step.verbRange)
      }
      switch step.verb {
      case .select:
        guard
          let container = path.lastIndex(where: { outer in
            manifest.nodes[outer].tabs.contains { $0.node.id?.index == node }
          })
        else {
          let reason = "'\(definition.name.value)' is no tab of what the steps before it open"
          return report(.neverApplies(verb: "select", reason: reason), step.verbRange)
        }
        path.removeSubrange((container + 1)...)
        stackStart = path.count
        enter(node, self)
      case .push:
        if let limit = definition.maxDepth?.value,
          path[min(stackStart, path.count)...].count(where: { $0 == node }) >= limit
        {
          let reason =
            "'\(definition.name.value)' stands there as often as its maxDepth of \(limit) allows"
          return report(.neverApplies(verb: "push", reason: reason), step.verbRange)
        }
        enter(node, self)
      default:
        stackStart = path.count
        enter(node, self)
      }
    }
  }

  /// Reports a link that waits for what nothing but a link can bring.
  private mutating func checkNeeded(_ link: Manifest.Link) {
    guard let needs = link.needs, let node = needs.id?.index, !hasUnresolvedNames,
      manifest.start?.id != nil
    else { return }
    if !reachedByRoutes.contains(node) {
      return report(
        .neverApplies(
          verb: "needs",
          reason: "no route leads to '\(needs.name)', so that the link would wait "
            + "for ever"), needs.range)
    }
    guard isOnlyBackground(node, countingLinks: false) else { return }
    for step in link.open where step.target?.id?.index == node && step.with == nil {
      report(
        .neverApplies(
          verb: step.verb.rawValue,
          reason: "'\(needs.name)' runs in the background and has no place to go to"),
        step.verbRange)
    }
  }
}
