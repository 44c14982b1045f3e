@_spi(Host) internal import AppCore
internal import Manifest
internal import Support

// Finds the possible receivers of reserved words, and the nodes that can only run in the
// background.
extension GraphBuilder {
  /// The input actions of all nodes.
  mutating func inputsOfAll() -> InputIndex {
    if let known = inputIndexes.all { return known }
    counter.count(features.count)
    let index = InputIndex(features)
    inputIndexes.all = index
    return index
  }

  /// The input actions of the nodes that can be in front.
  mutating func inputsOfCurrent() -> InputIndex {
    if let known = inputIndexes.current { return known }
    counter.count(features.count)
    let index = InputIndex(features.indices.filter { !isOnlyBackground($0) }.map { features[$0] })
    inputIndexes.current = index
    return index
  }

  /// The input actions of the possible presenters of an instance of `node`.
  mutating func inputs(ofPresenterOf node: Int) -> InputIndex {
    if let known = inputIndexes.presenters { return known.inputs(of: node) }
    let presenters = Presenters(
      manifest, index, features, everyone: inputsOfAll(), counter)
    inputIndexes.presenters = presenters
    return presenters.inputs(of: node)
  }

  /// The input actions of the nodes that the layer of an instance of `node` can cover.
  mutating func inputs(ofOpenerOf node: Int) -> InputIndex {
    guard !index.background.contains(node), !hasUnresolvedNames else { return inputsOfAll() }
    guard placements.inModal.contains(node) else { return InputIndex([]) }
    guard let openers = placements.openers else { return inputsOfAll() }
    if let known = inputIndexes.openers { return known }
    counter.count(openers.count)
    let index = InputIndex(openers.sorted().map { features[$0] })
    inputIndexes.openers = index
    return index
  }

  /// Whether instances of `node` are in the background and nowhere else.
  func isOnlyBackground(_ node: Int, countingLinks: Bool = true) -> Bool {
    index.background.contains(node) && manifest.start?.id?.index != node
      && index.containers[node] == nil && !index.enteredByRoutes.contains(node)
      && !(countingLinks && index.enteredByLinks.contains(node))
  }

  /// What each node leads to: its tabs and background, and the targets of its routes.
  ///
  /// The nodes are followed by the routes, so that a long list of nodes does not multiply with a
  /// long list of steps, and by one vertex for what nodes with unknown features may lead to.
  func successors() -> [[Int]] {
    let count = manifest.nodes.count
    let unknown = count + manifest.routes.count
    var next: [[Int]] = Array(repeating: [], count: unknown + 1)
    for (node, definition) in manifest.nodes.enumerated() {
      next[node] = (definition.tabs + definition.background).compactMap { $0.node.id?.index }
      if definition.feature != nil, features[node] == nil { next[node].append(unknown) }
    }
    for (number, route) in manifest.routes.enumerated() {
      // A tab that is selected is reached through its container.
      next[count + number] = route.steps.compactMap { step in
        step.makesTarget ? step.target?.id?.index : nil
      }
      if index.hasUnknownSources[number] { next[unknown].append(count + number) }
      counter.count(index.sources[number].count + route.steps.count)
      for source in index.sources[number] { next[source].append(count + number) }
    }
    return next
  }

  /// The nodes that each node can open over itself, as a dialog or on its stack.
  struct Presentations {
    /// What each node leads to; the routes follow the nodes.
    var next: [[Int]]
    /// The routes that open a dialog, with its node.
    var presents: [(from: Int, to: Int)] = []
    /// The nodes that are dialogs.
    var presented: Set<Int> = []
  }

  /// The nodes that routes open over their emitters, except after a verb that leaves these.
  func presentations() -> Presentations {
    let count = manifest.nodes.count
    var found = Presentations(
      next: Array(repeating: [], count: count + manifest.routes.count))
    for (number, route) in manifest.routes.enumerated() {
      counter.count(index.sources[number].count + route.steps.count)
      let staying = route.steps.prefix { step in
        !step.verb.leaves && ![.reset, .replace, .select].contains(step.verb)
      }
      for step in staying where step.verb == .push && !step.isSingleTop || step.verb == .present {
        guard let target = step.target?.id?.index else { continue }
        found.next[count + number].append(target)
        guard step.verb == .present else { continue }
        found.presents.append((count + number, target))
        found.presented.insert(target)
      }
      guard !found.next[count + number].isEmpty else { continue }
      let actions = Set(route.actions.map(\.value))
      for source in index.sources[number]
      where features[source]?.delegates.contains(where: { actions.contains($0.name) }) ?? true {
        found.next[source].append(count + number)
      }
    }
    return found
  }

  /// What each node can push onto its own stack; the routes follow the nodes.
  func pushes(without limited: Set<Int>) -> [[Int]] {
    let count = manifest.nodes.count
    var next: [[Int]] = Array(repeating: [], count: count + manifest.routes.count)
    for (number, route) in manifest.routes.enumerated() {
      let targets = route.steps.compactMap { step in
        step.verb == .push && !step.isSingleTop ? step.target?.id?.index : nil
      }.filter { !limited.contains($0) }
      counter.count(index.sources[number].count + route.steps.count)
      guard !targets.isEmpty else { continue }
      next[count + number] = targets
      for source in index.sources[number] { next[source].append(count + number) }
    }
    return next
  }
}

extension GraphBuilder {
  /// The input actions of the possible receivers of each keyword, computed on first use.
  struct InputIndexes {
    var all: InputIndex?
    var current: InputIndex?
    var openers: InputIndex?
    var presenters: Presenters?
  }
}

extension Manifest.Step {
  /// Whether the step moves the anchor.
  var navigates: Bool { verb.enters || verb.leaves || verb == .reset }

  /// Whether the step makes an instance of its target.
  fileprivate var makesTarget: Bool { verb != .select && verb.enters || verb == .reset }
}
