/// The shapes of links in a prefix tree of segments, which finds links that conflict.
struct LinkShapes {
  enum Conflict {
    /// The same literals and parameters in the same positions.
    case equal(LinkPath)
    /// Some address matches both, and each is more specific in some segment.
    case crossing(LinkPath)
  }

  private struct Node {
    var literals: [String: Int] = [:]
    /// The values of `literals`, in the order in which they were added.
    var children: [Int] = []
    var parameter: Int?
    var link: LinkPath?
  }

  private var nodes = [Node()]
  private let counter: StepCounter
  /// The number of nodes that all searches for crossings together may still visit.
  private var budget = 100_000
  /// The amount that each link adds to `budget`.
  private static let share = 64

  init(counter: StepCounter) { self.counter = counter }

  /// Adds a shape, and returns a conflict with an earlier one; `nil` if there is none.
  ///
  /// The searches stop once they have visited far more nodes together than realistic links need.
  mutating func add(_ path: LinkPath) -> Conflict? {
    budget += Self.share
    var steps = budget
    let crossing = search(path, depth: 0, node: 0, isNearer: false, isFarther: false, &steps)
    counter.count(budget - steps + path.segments.count)
    budget = max(steps, 0)
    var node = 0
    for segment in path.segments { node = child(of: node, segment) }
    if let other = nodes[node].link { return .equal(other) }
    nodes[node].link = path
    return crossing.map { .crossing($0) }
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
    nodes.append(Node())
    return next
  }

  /// The first link that matches an address of the path, if each is more specific in some segment.
  private func search(
    _ path: LinkPath, depth: Int, node: Int, isNearer: Bool, isFarther: Bool, _ steps: inout Int
  ) -> LinkPath? {
    steps -= 1
    guard steps > 0 else { return nil }
    guard depth < path.segments.count else {
      return isNearer && isFarther ? nodes[node].link : nil
    }
    var found: LinkPath?
    func look(_ next: Int?, nearer: Bool, farther: Bool) {
      guard let next, found == nil else { return }
      found = search(
        path, depth: depth + 1, node: next, isNearer: isNearer || nearer,
        isFarther: isFarther || farther, &steps)
    }
    switch path.segments[depth] {
    case .literal(let text):
      look(nodes[node].literals[text], nearer: false, farther: false)
      look(nodes[node].parameter, nearer: true, farther: false)
    case .parameter:
      look(nodes[node].parameter, nearer: false, farther: false)
      for next in nodes[node].children where found == nil && steps > 0 {
        look(next, nearer: false, farther: true)
      }
    }
    return found
  }
}
