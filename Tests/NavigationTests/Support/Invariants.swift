@_spi(Host) import AppCore

@_spi(Host) @testable import Navigation

/// What holds of every state, whatever was done: links both ways, counts, nothing out of reach.
struct Invariants {
  private let state: AppState
  private let graph: Graph
  private var instances: Set<InstanceID> = []
  private var stacks: Set<StackID> = []
  private var layers: Set<LayerID> = []
  private(set) var broken: [String] = []

  /// What does not hold of `state`; empty for a sound one.
  static func broken(in state: AppState, of graph: Graph) -> [String] {
    var invariants = Invariants(state: state, graph: graph)
    invariants.check()
    return invariants.broken
  }

  private init(state: AppState, graph: Graph) {
    self.state = state
    self.graph = graph
  }

  private mutating func expect(_ holds: Bool, _ text: @autoclosure () -> String) {
    if !holds { broken.append(text()) }
  }

  private mutating func check() {
    var above: LayerID?
    var next = state.navigation.topLayer
    while let id = next, let layer = state.navigation.layers[id] {
      expect(layers.insert(id).inserted, "layer \(id) lies over itself")
      check(id, layer)
      above = id
      next = layer.below
    }
    expect(next == nil, "a layer is missing")
    expect(state.navigation.rootLayer == above, "another layer is the root")
    if let above {
      expect(state.navigation.layers[above]?.over == nil, "the root lies over an instance")
    }
    for id in state.navigation.background { checkBackground(id, host: nil) }
    expect(state.instances.count == instances.count, "instances out of reach")
    expect(state.navigation.stacks.count == stacks.count, "stacks out of reach")
    expect(state.navigation.layers.count == layers.count, "layers out of reach")
    checkNodeLists()
    checkCurrent()
  }

  private mutating func check(_ id: LayerID, _ layer: Layer) {
    expect((layer.over == nil) == (layer.below == nil), "layer \(id) lies over nothing")
    if let over = layer.over {
      expect(state.instances[over]?.layerOver == id, "\(over) does not know layer \(id)")
      expect(state.layer(of: over) == layer.below, "layer \(id) lies over another than the next")
    }
    guard let stack = layer.stack else { return expect(false, "layer \(id) has no stack") }
    check(stack, owner: .layer(id))
  }

  private mutating func check(_ id: StackID, owner: Stack.Owner) {
    guard let stack = state.navigation.stacks[id] else { return expect(false, "no stack \(id)") }
    expect(stacks.insert(id).inserted, "stack \(id) is in two places")
    expect(stack.owner == owner, "stack \(id) belongs to \(stack.owner), not \(owner)")
    var count = 0
    var limited: [Int: Int] = [:]
    var lowest: InstanceID?
    var next: InstanceID? = stack.top
    while let entry = next, let instance = state.instances[entry], count < state.instances.count {
      count += 1
      lowest = entry
      if graph.nodes[instance.node].maxDepth != nil { limited[instance.node, default: 0] += 1 }
      expect(instance.stack == id, "\(entry) is in stack \(id) and does not know it")
      expect(instance.host == nil, "\(entry) has a screen and a host")
      check(entry, instance)
      next = instance.below
    }
    expect(next == nil, "stack \(id) refers to what is gone")
    expect(lowest == stack.root, "stack \(id) has another root")
    expect(limited == stack.limitedNodes, "stack \(id) counts \(stack.limitedNodes)")
    for (node, count) in limited {
      expect(count <= graph.nodes[node].maxDepth ?? 0, "stack \(id) is deeper than its maxDepth")
    }
  }

  private mutating func check(_ id: InstanceID, _ instance: Instance) {
    expect(instances.insert(id).inserted, "\(id) is in two places")
    let node = graph.nodes[instance.node]
    let outer = state.parent(of: id)
    let depth = outer.flatMap { state.instances[$0]?.depth } ?? 0
    expect(instance.depth == depth + 1, "\(id) is \(instance.depth) deep, not \(depth + 1)")
    var container = outer
    if let outer, let below = state.instances[outer], below.tabs == nil {
      container = below.container
    }
    expect(instance.container == container, "\(id) is in another container")
    if let layer = instance.layerOver {
      expect(state.navigation.layers[layer]?.over == id, "\(id) knows a layer that is gone")
    }
    expect(instance.background.count == node.background.count, "\(id) lacks background")
    for background in instance.background { checkBackground(background, host: id) }
    switch node.content {
    case .feature:
      expect(instance.state != nil && instance.tabs == nil, "\(id) is no feature")
    case .tabs(let targets):
      guard let tabs = instance.tabs, instance.state == nil, tabs.stacks.count == targets.count
      else { return expect(false, "\(id) is no container") }
      expect(tabs.stacks[tabs.selected] != nil, "the selected tab of \(id) was not made")
      for (tab, stack) in tabs.stacks.enumerated() {
        if let stack { check(stack, owner: .tab(of: id, tab)) }
      }
    }
  }

  private mutating func checkBackground(_ id: InstanceID, host: InstanceID?) {
    guard let instance = state.instances[id] else { return expect(false, "\(id) is gone") }
    expect(instance.stack == nil && instance.below == nil, "\(id) stands in a stack")
    expect(instance.host == host, "\(id) has another host")
    check(id, instance)
  }

  private mutating func checkNodeLists() {
    var listed = 0
    for (node, last) in state.navigation.lastOfNode {
      var newer: InstanceID?
      var next: InstanceID? = last
      while let id = next, let instance = state.instances[id], listed <= instances.count {
        listed += 1
        expect(instance.node == node, "\(id) is among the instances of another node")
        expect(instance.nextOfNode == newer, "\(id) has another successor")
        newer = id
        next = instance.previousOfNode
      }
      expect(next == nil, "the instances of \(node) refer to what is gone")
    }
    let count = instances.count
    expect(listed == count, "\(listed) of \(count) are known by their node")
  }

  private mutating func checkCurrent() {
    guard let current = state.current else {
      return expect(instances.isEmpty, "nothing is current")
    }
    expect(state.instances[current]?.state != nil, "no feature is current")
    expect(state.layer(of: current) == state.navigation.topLayer, "the current one is covered")
  }
}
