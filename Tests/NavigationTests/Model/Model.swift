import AppCore

@testable import Navigation

/// Navigation as the table of verbs words it: arrays of values, nothing shared, nothing clever.
struct Model {
  /// An instance, with everything that goes when it goes but its modals.
  struct Entry {
    let id: Int
    let node: Int
    let arguments: Value
    let presenter: Int?
    /// A container's stacks; `nil` for a tab that was never selected, empty for a feature.
    var tabs: [[Entry]?] = []
    var selected = 0
    var background: [Entry] = []

    /// The instance and everything inside.
    var all: [Entry] {
      [self] + tabs.flatMap { ($0 ?? []).flatMap(\.all) } + background.flatMap(\.all)
    }
  }

  struct Layer {
    /// The instance it covers; `nil` for the root layer.
    let over: Int?
    var stack: [Entry]
  }

  struct Refused: Error { let code: String }

  let graph: Graph
  var layers: [Layer] = []
  var background: [Entry] = []
  var nextID = 0

  init(graph: Graph) { self.graph = graph }

  var all: [Entry] { layers.flatMap { $0.stack.flatMap(\.all) } + background.flatMap(\.all) }

  func entry(_ id: Int) -> Entry? { all.first { $0.id == id } }

  var current: Int? { layers.last.map { front($0.stack) } }

  func front(_ stack: [Entry]) -> Int {
    let top = stack[stack.count - 1]
    if let tab = top.tabs.isEmpty ? nil : top.tabs[top.selected] { return front(tab) }
    return top.id
  }

  /// What is in front in an instance: itself, or what shows in its selected tab.
  func front(of id: Int) -> Int { entry(id).map { front([$0]) } ?? id }
}

// Where things are.
extension Model {
  /// The stacks that lead to an instance, the outermost first, each up to the entry on the way.
  func way(to id: Int) -> (layer: Int, stacks: [[Entry]])? {
    for (index, layer) in layers.enumerated() {
      if let stacks = Model.way(to: id, in: layer.stack) { return (index, stacks) }
    }
    return nil
  }

  private static func way(to id: Int, in stack: [Entry]) -> [[Entry]]? {
    for (position, entry) in stack.enumerated() {
      let here = Array(stack[...position])
      if entry.id == id { return [here] }
      for tab in entry.tabs {
        if let inner = tab.flatMap({ way(to: id, in: $0) }) { return [here] + inner }
      }
    }
    return nil
  }

  /// The outward path: the instance, its stack, its container's, what the layer covers, and on.
  func path(from id: Int) -> [(entry: Entry, layer: Int)] {
    guard let way = way(to: id) else { return [] }
    let inLayer = way.stacks.reversed().flatMap { $0.reversed() }.map { ($0, way.layer) }
    return inLayer + (layers[way.layer].over.map { path(from: $0) } ?? [])
  }

  /// The instance whose background this one is in; `nil` for one of the app.
  func host(of id: Int) -> Int? {
    all.first { $0.background.contains { $0.id == id } }?.id
  }
}

// What changes.
extension Model {
  /// Changes the stack that an instance is in, given its position there.
  mutating func change(stackOf id: Int, _ body: (inout [Entry], Int) -> Void) {
    for index in layers.indices { Model.change(&layers[index].stack, id, body) }
  }

  private static func change(
    _ stack: inout [Entry], _ id: Int, _ body: (inout [Entry], Int) -> Void
  ) {
    if let position = stack.firstIndex(where: { $0.id == id }) { return body(&stack, position) }
    for position in stack.indices {
      for tab in stack[position].tabs.indices where stack[position].tabs[tab] != nil {
        var inner = stack[position].tabs[tab] ?? []
        change(&inner, id, body)
        stack[position].tabs[tab] = inner
      }
    }
  }

  /// An instance goes, and its modals go with it, and all that covers those.
  mutating func closeLayersOverWhatIsGone() {
    while let index = layers.firstIndex(where: { layer in
      layer.over.map { over in entry(over) == nil } ?? false
    }) {
      layers.removeSubrange(index...)
    }
  }

  /// Dismisses what is on an instance, and selects its tabs.
  mutating func uncover(_ id: Int) {
    guard let way = way(to: id) else { return }
    layers.removeSubrange((way.layer + 1)...)
    for stack in way.stacks {
      guard let last = stack.last else { continue }
      change(stackOf: last.id) { stack, position in stack.removeSubrange((position + 1)...) }
    }
    for (outer, inner) in zip(way.stacks, way.stacks.dropFirst()) {
      guard let container = outer.last, let root = inner.first else { continue }
      change(stackOf: container.id) { stack, position in
        stack[position].selected =
          stack[position].tabs.firstIndex { $0?.first?.id == root.id } ?? 0
      }
    }
    closeLayersOverWhatIsGone()
  }

  /// Makes an instance with what it holds; refused where the feature refuses.
  mutating func make(_ target: Target, _ payload: Value, presenter: Int?) throws -> Entry {
    let node = graph.nodes[target.node]
    let arguments = target.arguments.resolved(payload, over: node.arguments.resolved(.null))
    nextID += 1
    var entry = Entry(
      id: nextID, node: target.node, arguments: arguments, presenter: presenter)
    switch node.content {
    case .feature:
      if arguments["tag"] == .string(MockArguments.refused) { throw Refused(code: "unavailable") }
    case .tabs(let targets):
      entry.tabs = Array(repeating: nil, count: targets.count)
      entry.tabs[0] = [try make(targets[0], arguments, presenter: presenter)]
    }
    entry.background = try node.background.map {
      try make($0, arguments, presenter: presenter)
    }
    return entry
  }
}
