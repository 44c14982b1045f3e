internal import Support

extension ParseResult {
  /// Resolves references to nodes, reports names that are not defined, and turns bare nodes of links
  /// into the verbs that they stand for.
  mutating func resolveNames() {
    // The names that are not defined, with the places of their uses and the words that are allowed
    // there besides the names of nodes.
    var unknown: [String: (ranges: [SourceRange], words: [String])] = [:]
    var named: Set<NodeID> = []
    let ids = manifest.nodeIDs
    manifest.updateReferences { reference, words in
      reference.id = ids[reference.name]
      if let id = reference.id {
        named.insert(id)
      } else {
        unknown[reference.name, default: ([], words)].ranges.append(reference.range)
      }
    }
    if !isIncomplete { report(unknown, named: named) }
    LinkVerbs(manifest).choose(in: &manifest.links)
  }

  /// Reports each name that is not defined once, at its first use; `named` are the nodes that a
  /// reference names.
  private mutating func report(
    _ unknown: [String: (ranges: [SourceRange], words: [String])], named: Set<NodeID>
  ) {
    let names = manifest.nodes.map(\.name.value)
    let uses = unknown.map { (name: $0, ranges: $1.ranges.sorted(), words: $1.words) }
    for (name, ranges, words) in uses.sorted(by: { $0.ranges[0] < $1.ranges[0] }) {
      // The node may be one of those that were skipped.
      if hasUnreadNodes, Grammar.isNodeName(name) { continue }
      if strayKeys.contains(name) { continue }
      // A list of all nodes is not copied for each of many unknown ones.
      var nearest =
        suggestions.isSpent
        ? nil : suggestions.nearest(to: name, among: words.isEmpty ? names : names + words)
      let meant = nearest.flatMap { manifest.nodeIDs[$0.name] }
      if let meant { manifest.meantNodes.insert(meant) }
      // If no reference names the node that was probably meant, its definition may be misspelt.
      let definition = meant.flatMap { named.contains($0) ? nil : manifest[$0].name.range }
      if definition != nil, ranges.count > 1 { nearest?.isCertain = false }
      report(
        .unknownNode, at: ranges[0],
        "unknown node \(quote(name))" + Wording.hint(nearest, names, what: "nodes"),
        correction: .init(name, nearest),
        related: definition.map { .init(.nodeDefinition, at: $0) },
        alsoAt: Array(ranges.dropFirst()))
    }
  }
}

/// The verbs that the bare nodes of links stand for, derived from the containers and the routes.
private struct LinkVerbs {
  /// The containers of each node that is a tab.
  private let containers: [NodeID: Set<NodeID>]
  /// The containers with a tab whose name is unknown, which may be the one that is meant.
  private let doubtful: Set<NodeID>
  /// The container of each node that is a tab of only one container, and that no route opens.
  private let homes: [NodeID: NodeID]
  private let nodes: [Manifest.Node]

  init(_ manifest: Manifest) {
    nodes = manifest.nodes
    doubtful = Set(
      manifest.nodes.filter { $0.tabs.contains { $0.node.id == nil } }.map(\.id))
    var containers: [NodeID: Set<NodeID>] = [:]
    for node in manifest.nodes {
      for tab in node.tabs {
        if let id = tab.node.id { containers[id, default: []].insert(node.id) }
      }
    }
    self.containers = containers
    var entered = Set([manifest.start?.id].compactMap { $0 })
    for step in manifest.routes.flatMap(\.steps)
    where step.verb.enters && step.verb != .select || step.verb == .reset {
      if let id = step.target?.id { entered.insert(id) }
    }
    homes = containers.filter { $0.value.count == 1 && !entered.contains($0.key) }
      .compactMapValues(\.first)
  }

  /// Turns a bare node into `select` if it follows its container, which is inserted before a tab,
  /// so that a tab is never shown without its container.
  func choose(in links: inout [Manifest.Link]) {
    for index in links.indices {
      links[index].open = withContainers(links[index].open)
      var last: NodeID?
      for step in links[index].open.indices {
        let current = links[index].open[step]
        if current.isBareNode, let id = current.target?.id, let last,
          containers[id]?.contains(last) == true || doubtful.contains(last)
        {
          links[index].open[step].verb = .select
        }
        last = current.target?.id
      }
    }
  }

  private func withContainers(_ steps: [Manifest.Step]) -> [Manifest.Step] {
    var opened: Set<NodeID> = []
    var result: [Manifest.Step] = []
    for step in steps {
      var outer: [Manifest.Step] = []
      var next = step.isBareNode ? step.target?.id.flatMap { homes[$0] } : nil
      // Containers that nest deeper are reported.
      while outer.count <= ParseResult.containerLimit, let container = next,
        opened.insert(container).inserted
      {
        let node = NodeReference(
          name: nodes[container.index].name.value, range: step.range, id: container)
        outer.append(
          Manifest.Step(
            verb: .push, verbRange: step.range, target: node, isBareNode: true, range: step.range))
        next = homes[container]
      }
      result += outer.reversed()
      result.append(step)
      if let id = step.target?.id { opened.insert(id) }
    }
    return result
  }
}

extension ParseResult {
  /// Finds links that can't be distinguished, and parameters that are unknown or unused.
  mutating func checkLinks() {
    var shapes = LinkShapes()
    for link in manifest.links {
      let text = quote(link.path.text)
      switch shapes.add(link.path) {
      case nil: break
      case (let other, true)?:
        let isSame = other.text == link.path.text
        report(
          isSame ? .duplicateLink : .equalLinks, at: link.path.range,
          isSame
            ? "the link \(text) is already defined"
            : "the links \(text) and \(quote(other.text)) have the same shape",
          related: .init(.firstDefinition, at: other.range))
      case (let other, false)?:
        report(
          .shadowedLink, at: link.path.range,
          "the links \(text) and \(quote(other.text)) fit the same address, and neither is nearer",
          related: .init(.other, at: other.range))
      }
      checkParameters(of: link)
    }
  }

  private mutating func checkParameters(of link: Manifest.Link) {
    let names = link.path.parameters.map(\.value)
    let known = Set(names)
    var used: Set<String> = []
    var usesAll = false
    for reference in link.open.flatMap({ $0.with?.references ?? [] }) {
      guard case .payload(let fields) = reference.value else { continue }
      guard let first = fields.first else {
        usesAll = true
        continue
      }
      used.insert(first.value)
      guard !known.contains(first.value) else { continue }
      let nearest = suggestions.nearest(to: first.value, among: names)
      report(
        .unknownParameter, at: first.range,
        "the link has no parameter \(quote(first.value))"
          + Wording.hint(nearest, names, what: "parameters"),
        correction: .init(first.value, nearest))
      // The parameter that was probably meant is used.
      if let nearest { used.insert(nearest.name) }
    }
    guard !usesAll, link.isWhole, !known.isSubset(of: used) else { return }
    let words = badReferenceWords(within: link.range)
    for parameter in link.path.parameters
    where !used.contains(parameter.value) && !mayRefer(to: parameter.value, among: words) {
      report(
        .unusedParameter, at: parameter.range,
        "nothing uses the parameter \(quote(parameter.value))"
      )
    }
  }
}

/// The shapes of links in a prefix tree of segments, which finds links that conflict.
private struct LinkShapes {
  private struct SegmentNode {
    var literals: [String: Int] = [:]
    /// The values of `literals`, in the order in which they were added.
    var children: [Int] = []
    var parameter: Int?
    var link: LinkPath?
  }

  private var nodes = [SegmentNode()]
  /// The number of nodes that all searches for crossings together may still visit: far more than
  /// realistic links need.
  private var budget = 100_000
  /// The amount that each link adds to `budget`.
  private static let share = 64

  /// Adds a shape, and returns an earlier one that conflicts with it; `nil` if there is none.
  ///
  /// They conflict if they have the same literals and parameters in the same positions, or cross: some
  /// address matches both, and each is more specific in some segment.
  mutating func add(_ path: LinkPath) -> (other: LinkPath, isEqual: Bool)? {
    var left = budget + Self.share
    let crossing = search(path, depth: 0, node: 0, isNearer: false, isFarther: false, &left)
    budget = max(left, 0)
    var node = 0
    for segment in path.segments { node = child(of: node, segment) }
    if let other = nodes[node].link { return (other, true) }
    nodes[node].link = path
    return crossing.map { ($0, false) }
  }

  private mutating func child(of node: Int, _ segment: LinkPath.Segment) -> Int {
    let next = nodes.count
    switch segment {
    case .literal(let text):
      if let found = nodes[node].literals[text] { return found }
      nodes[node].literals[text] = next
      nodes[node].children.append(next)
    case .parameter:
      if let found = nodes[node].parameter { return found }
      nodes[node].parameter = next
    }
    nodes.append(SegmentNode())
    return next
  }

  /// The first link that matches an address of the path, if each is more specific in some segment.
  private func search(
    _ path: LinkPath, depth: Int, node: Int, isNearer: Bool, isFarther: Bool, _ budget: inout Int
  ) -> LinkPath? {
    budget -= 1
    guard budget > 0 else { return nil }
    guard depth < path.segments.count else {
      return isNearer && isFarther ? nodes[node].link : nil
    }
    func searchBelow(_ next: Int?, nearer: Bool = false, farther: Bool = false) -> LinkPath? {
      next.flatMap {
        search(
          path, depth: depth + 1, node: $0, isNearer: isNearer || nearer,
          isFarther: isFarther || farther, &budget)
      }
    }
    switch path.segments[depth] {
    case .literal(let text):
      return searchBelow(nodes[node].literals[text])
        ?? searchBelow(nodes[node].parameter, nearer: true)
    case .parameter:
      if let found = searchBelow(nodes[node].parameter) { return found }
      for next in nodes[node].children where budget > 0 {
        if let found = searchBelow(next, farther: true) { return found }
      }
      return nil
    }
  }
}
