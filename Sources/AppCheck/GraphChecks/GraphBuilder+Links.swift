@_spi(Host) internal import AppCore
internal import Manifest
internal import Navigation
internal import Support

// Links: the types of their parameters, and whether their steps can apply.
extension GraphBuilder {
  mutating func link(of definition: Manifest.Link) -> Link? {
    let types = parameterTypes(of: definition)
    let payload = payload(of: definition, types)
    var steps: [Link.Step] = []
    for step in definition.open {
      guard let made = self.step(step, of: definition, payload: payload) else { return nil }
      steps.append(made)
    }
    if knowsPlaces, !hasUnresolvedNames {
      checkBuildable(definition)
      checkNeeded(definition)
    }
    guard !steps.isEmpty else { return nil }
    return Link(
      path: definition.path, types: types, steps: steps, needs: definition.needs?.id?.index)
  }

  /// The type of each parameter; conflicts are reported.
  private mutating func parameterTypes(of link: Manifest.Link) -> [String: Schema] {
    var typing = ParameterTyping()
    for step in link.open {
      guard let with = step.with, let node = step.target?.id?.index else { continue }
      let accepted = acceptedFields(of: node)
      for shape in [accepted.shape] + accepted.others { typing.read(with, as: shape) }
    }
    problems += typing.conflicts.values
    for parameter in link.path.parameters {
      guard let type = typing.types[parameter.value], !type.fitsInAddress else { continue }
      report(
        .unsayableParameter, at: parameter.range,
        "the parameter \(quote(parameter.value)) feeds \(type.phrase), which an address can't say; "
          + "a parameter is a string, integer, double or bool")
    }
    var types = typing.types.filter { $0.value.fitsInAddress && typing.conflicts[$0.key] == nil }
    // What no use says is a text, as the address has it.
    for parameter in link.path.parameters.map(\.value)
    where typing.types[parameter] ?? .any == .any && typing.conflicts[parameter] == nil {
      types[parameter] = .string
    }
    return types
  }

  /// The shape of `$` in a link: its parameters, of which those after the `?` are optional.
  private func payload(of link: Manifest.Link, _ types: [String: Schema]) -> Schema {
    let optional = Set(link.path.query.map(\.parameter))
    let names = Set(link.path.parameters.map(\.value))
    let used = link.open.flatMap { $0.with?.payloadFields ?? [] }
    // Parameters that the link does not have are reported where links are compared.
    guard used.allSatisfy({ names.contains($0.value) }) else { return .any }
    return .object(
      link.path.parameters.map { parameter in
        let type = types[parameter.value] ?? .any
        return Schema.Field(
          name: parameter.value,
          schema: optional.contains(parameter.value) ? .optional(type) : type)
      })
  }

  private mutating func step(
    _ step: Manifest.Step, of link: Manifest.Link, payload: Schema
  ) -> Link.Step? {
    guard let reference = step.target, let id = reference.id else { return nil }
    switch step.verb {
    case .push:
      // If the name of the needed node is unknown, it may be this one.
      let isNeeded = link.needs.map { $0.id == nil || $0.id == id } ?? false
      if step.with == nil, isNeeded {
        return .push(Target(node: id.index), isLiving: true)
      }
      // With `needs`, the link would use the existing instance, which already has its arguments.
      let remedy =
        step.with == nil && link.needs == nil && reachedByRoutes.contains(id.index)
        ? "give it in 'with', or write 'needs: \(reference.name)' to take the living one" : nil
      return target(reference, step.with, payload: payload, remedy: remedy)
        .map { .push($0, isLiving: false) }
    case .present: return target(reference, step.with, payload: payload).map { .present($0) }
    case .select: return .select(node: id.index)
    // Rejected when the manifest is read.
    case .replace, .popTo, .reset, .notify, .back, .dismiss, .quit, .ignore: return nil
    }
  }

  /// Simulates the steps on an empty app, and reports the first one that can't apply.
  private mutating func checkBuildable(_ link: Manifest.Link) {
    var position = LinkPosition()
    for (number, step) in link.open.enumerated() {
      guard let node = step.target?.id?.index else { return }
      if number == 0, step.verb != .push {
        return reportNever(
          step,
          step.verb == .select
            ? "the first step begins an app in which no tabs are shown yet"
            : "the first step begins an app in which it has nothing to lie over")
      }
      let definition = manifest.nodes[node]
      switch step.verb {
      case .select:
        guard position.leave(for: { index.tabs[$0]?.contains(node) ?? false }) else {
          return reportNever(
            step, "'\(definition.name.value)' is not a tab of what the steps before it open")
        }
      case .push:
        if let limit = definition.maxDepth?.value, position.count(of: node) >= limit {
          return reportNever(
            step,
            "the stack already holds \(limit) '\(definition.name.value)' screens (its maxDepth)")
        }
      default: position.beginStack()
      }
      position.enter(node)
      var inner = node
      // A container that contains itself is already reported.
      for _ in 0..<InstanceFactory.containerLimit {
        guard let first = manifest.nodes[inner].tabs.first?.node.id?.index else { break }
        position.beginStack()
        position.enter(first)
        inner = first
      }
    }
  }

  /// Reports a link that needs a node to which no route leads, or that shows the needed node
  /// although it only runs in the background.
  private mutating func checkNeeded(_ link: Manifest.Link) {
    guard let needs = link.needs, let node = needs.id?.index, manifest.start?.id != nil else {
      return
    }
    if !reachedByRoutes.contains(node) {
      return reportNever(
        "needs", "no route leads to '\(needs.name)', so that the link would wait forever",
        at: needs.range)
    }
    guard isOnlyBackground(node, countingLinks: false) else { return }
    for step in link.open where step.target?.id?.index == node && step.with == nil {
      reportNever(step, "'\(needs.name)' runs in the background and has no place to go to")
    }
  }
}

/// The current node and its ancestors while the steps of a link are simulated.
private struct LinkPosition {
  private var path: [Int] = []
  /// The number of instances of each node in the front stack.
  private var counts: [Int: Int] = [:]

  mutating func enter(_ node: Int) {
    path.append(node)
    counts[node, default: 0] += 1
  }

  mutating func beginStack() { counts = [:] }

  /// The number of instances of a node in the front stack.
  func count(of node: Int) -> Int { counts[node] ?? 0 }

  /// Leaves all nodes inside the nearest wanted container; `false` if it is in none.
  mutating func leave(for isWanted: (Int) -> Bool) -> Bool {
    while let last = path.last, !isWanted(last) { path.removeLast() }
    beginStack()
    return !path.isEmpty
  }
}
