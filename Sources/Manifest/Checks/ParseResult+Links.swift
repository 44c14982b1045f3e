internal import Support

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
    guard !usesAll, link.isWhole else { return }
    for parameter in link.path.parameters
    where !used.contains(parameter.value) && !mayRefer(to: parameter.value, within: link.range) {
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
