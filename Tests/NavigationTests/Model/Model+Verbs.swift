import AppCore

@testable import Navigation

// The rows of the table, one function each. A step works on a copy, which a refusal drops.
extension Model {
  /// Does one verb from `anchor`, and returns the anchor for the next.
  mutating func apply(_ verb: RouteVerb, from anchor: Int, _ payload: Value) throws -> Int {
    switch verb {
    case .push(let target, let singleTop, let ifCovered):
      let place = try enter(from: anchor, ifCovered)
      return try push(target, payload, singleTop: singleTop, on: place, presenter: anchor)
    case .present(let target, let ifCovered):
      let place = try enter(from: anchor, ifCovered)
      let entry = try make(target, payload, presenter: anchor)
      layers.append(Layer(over: place, stack: [entry]))
      return front(of: entry.id)
    case .replace(let target, let ifCovered):
      let place = try enter(from: anchor, ifCovered)
      return try replace(place, target, payload)
    case .select(let node, let ifCovered):
      return try select(node, from: try enter(from: anchor, ifCovered))
    case .back: return try back(from: anchor)
    case .dismiss:
      guard let way = way(to: anchor), way.layer > 0 else { throw Refused(code: "not-in-modal") }
      return close(way.layer)
    case .popTo(let target, let inclusive):
      return try pop(to: target, inclusive: inclusive, from: anchor)
    case .reset(let target):
      let entry = try make(target, payload, presenter: nil)
      layers = [Layer(over: nil, stack: [entry])]
      return front(of: entry.id)
    case .notify, .quit, .ignore: return anchor
    }
  }

  /// Where a verb that enters acts.
  private mutating func enter(from anchor: Int, _ ifCovered: IfCovered) throws -> Int {
    guard let current else { throw Refused(code: "not-current") }
    if anchor == current || way(to: anchor) == nil { return current }
    switch ifCovered {
    case .refuse: throw Refused(code: "not-current")
    case .over: return current
    case .cut:
      uncover(anchor)
      return anchor
    }
  }

  private mutating func push(
    _ target: Target, _ payload: Value, singleTop: Bool, on place: Int, presenter: Int
  ) throws -> Int {
    if singleTop, let top = entry(place), top.node == target.node {
      let new = try? make(target, payload, presenter: top.presenter)
      if new.map({ same($0.arguments, top.arguments) }) ?? false { return place }
      return try replace(place, target, payload)
    }
    try checkDepth(of: target.node, beside: place, replacing: false)
    let entry = try make(target, payload, presenter: presenter)
    change(stackOf: place) { stack, _ in stack.append(entry) }
    return front(of: entry.id)
  }

  private func same(_ left: Value, _ right: Value) -> Bool {
    guard case .object(let left) = left, case .object(let right) = right else { return false }
    return left.filter { $1 != .null } == right.filter { $1 != .null }
  }

  private mutating func replace(_ place: Int, _ target: Target, _ payload: Value) throws -> Int {
    try checkDepth(of: target.node, beside: place, replacing: true)
    let entry = try make(target, payload, presenter: entry(place)?.presenter)
    change(stackOf: place) { stack, position in stack[position] = entry }
    closeLayersOverWhatIsGone()
    return front(of: entry.id)
  }

  private func checkDepth(of node: Int, beside place: Int, replacing: Bool) throws {
    guard let limit = graph.nodes[node].maxDepth, let stack = way(to: place)?.stacks.last else {
      return
    }
    let remaining = replacing ? stack.dropLast() : stack[...]
    if remaining.count(where: { $0.node == node }) >= limit { throw Refused(code: "max-depth") }
  }

  private mutating func select(_ node: Int, from place: Int) throws -> Int {
    for (entry, _) in path(from: place) {
      guard case .tabs(let targets) = graph.nodes[entry.node].content,
        let tab = targets.firstIndex(where: { $0.node == node })
      else { continue }
      var made: [Entry]?
      if entry.tabs[tab] == nil {
        made = [try make(targets[tab], entry.arguments, presenter: entry.presenter)]
      }
      change(stackOf: entry.id) { stack, position in
        stack[position].selected = tab
        if let made { stack[position].tabs[tab] = made }
      }
      return front(of: entry.id)
    }
    throw Refused(code: "no-such-tab")
  }

  private mutating func back(from anchor: Int) throws -> Int {
    guard let way = way(to: anchor) else { throw Refused(code: "at-root") }
    for stack in way.stacks.reversed() where stack.count > 1 {
      let (going, beneath) = (stack[stack.count - 1], stack[stack.count - 2])
      change(stackOf: going.id) { stack, position in stack.removeSubrange(position...) }
      closeLayersOverWhatIsGone()
      return front(of: beneath.id)
    }
    guard way.layer > 0 else { throw Refused(code: "at-root") }
    return close(way.layer)
  }

  /// Closes a modal and all above it; in front is what shows then.
  private mutating func close(_ layer: Int) -> Int {
    layers.removeSubrange(layer...)
    return current ?? 0
  }

  private mutating func pop(
    to target: PopTarget, inclusive: Bool, from anchor: Int
  ) throws -> Int {
    let path = path(from: anchor)
    let found: (entry: Entry, layer: Int)?
    switch target {
    case .root:
      let root = way(to: anchor)?.stacks.last?.first?.id
      found = path.first { $0.entry.id == root }
    case .node(let node): found = path.first { $0.entry.node == node }
    }
    guard let found, let stack = way(to: found.entry.id)?.stacks.last else {
      throw Refused(code: "not-on-path")
    }
    if inclusive, stack.count == 1 { throw Refused(code: "would-empty") }
    // What covers the target, over what is on it or over what it contains goes.
    if let over = layers.dropFirst(found.layer + 1).first?.over,
      self.path(from: over).contains(where: { $0.entry.id == found.entry.id })
    {
      layers.removeSubrange((found.layer + 1)...)
    }
    change(stackOf: found.entry.id) { stack, position in
      stack.removeSubrange((inclusive ? position : position + 1)...)
    }
    closeLayersOverWhatIsGone()
    return front(of: inclusive ? stack[stack.count - 2].id : found.entry.id)
  }
}
