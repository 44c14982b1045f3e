import AppCore
internal import TestSupport
import Testing

@testable import Navigation

/// Random graphs in random states, and what opening a position or a link does to them.
@MainActor
@Suite("Opening: whatever the graph and the state")
struct OpeningPropertyTests {
  @Test("A position reopens the very place that it was printed in")
  func positionsReopen() throws {
    var seen = (modal: 0, tab: 0, replaced: 0, deep: 0)
    for seed in 0..<UInt64(80) {
      var app = try Wanderer(seed: seed)
      for _ in 0..<12 {
        try app.wander(6)
        let position = app.position
        seen.modal += position.contains("!") ? 1 : 0
        seen.replaced += position.contains("~") ? 1 : 0
        seen.tab += position.contains("/c") ? 1 : 0
        seen.deep += position.split(separator: "/").count > 3 ? 1 : 0
        let plan = try app.app.graph.plan(position) { _ in nil }
        let fresh = try TestApp(graph: app.app.graph)
        for target in [fresh, app.app] {
          target.store.send(.navigate(.open(plan)))
          let reopened = Wanderer.position(of: target)
          let broken = Invariants.broken(in: target.state, of: target.graph)
          guard reopened == position, broken.isEmpty else {
            Issue.record(
              "\(position), not \(reopened), of seed \(seed): \(target.picture) \(broken)")
            return
          }
        }
      }
    }
    #expect(seen.modal > 40 && seen.tab > 40 && seen.replaced > 3 && seen.deep > 40, "\(seen)")
  }

  @Test(
    "A link shows what it shows on an empty app, keeps the common beginning, or changes nothing")
  func linksKeepTheBeginning() throws {
    var counts = (opened: 0, refused: 0, kept: 0)
    for seed in 0..<UInt64(80) {
      var app = try Wanderer(seed: seed)
      for _ in 0..<10 {
        try app.wander(5)
        let plan = app.plan()
        let fresh = try TestApp(graph: app.app.graph)
        fresh.store.send(.navigate(.open(plan)))
        let picture = app.app.picture
        let before = app.rootPath
        let count = app.app.state.journal.count
        app.app.store.send(.navigate(.open(plan)))
        let broken = Invariants.broken(in: app.app.state, of: app.app.graph)
        let isRefused = app.app.state.journal.events(after: count).contains { event in
          if case .refused = event.outcome { true } else { false }
        }
        let isRefusedThere = fresh.state.journal.events.contains { event in
          if case .refused = event.outcome { true } else { false }
        }
        // What is kept need not be made, so that it can't fail: the other way round is not a fault.
        guard broken.isEmpty, !isRefused || isRefusedThere else {
          Issue.record("\(plan) of seed \(seed): \(broken)")
          return
        }
        if isRefused {
          counts.refused += 1
          #expect(app.app.picture == picture, "a refusal changed something: seed \(seed)")
          continue
        }
        if isRefusedThere { continue }
        counts.opened += 1
        #expect(app.position == Wanderer.position(of: fresh), "seed \(seed): \(plan)")
        let after = app.path
        let common = zip(before, after).prefix {
          $0.node == $1.node && $0.arguments.isSame(as: $1.arguments) && $0.isModal == $1.isModal
        }
        if common.count > 0 { counts.kept += 1 }
        #expect(
          common.allSatisfy { $0.id == $1.id }, "made anew: seed \(seed), \(plan), \(picture)")
      }
    }
    #expect(counts.opened > 100 && counts.refused > 20 && counts.kept > 40, "\(counts)")
  }
}

/// An app in which random things happen.
@MainActor
private struct Wanderer {
  let app: TestApp
  private var random: SplitMix64

  struct Entry {
    let id: InstanceID
    let node: Int
    let arguments: Value
    let isModal: Bool
  }

  init(seed: UInt64) throws {
    var graph = RandomGraph(seed: seed)
    app = try TestApp(graph: graph.make())
    random = SplitMix64(seed: seed &* 7919)
  }

  static func position(of app: TestApp) -> String {
    var writer = PositionWriter(graph: app.graph, state: app.state)
    return writer.text()
  }

  var position: String { Self.position(of: app) }

  var path: [Entry] {
    app.state.path(limit: .max).compactMap { id in
      app.state.instances[id].map { instance in
        let navigation = app.state.navigation
        var isModal = false
        if instance.below == nil, let stack = instance.stack,
          case .layer(let layer)? = navigation.stacks[stack]?.owner
        {
          isModal = navigation.layers[layer]?.over != nil
        }
        return Entry(
          id: id, node: instance.node, arguments: instance.arguments, isModal: isModal)
      }
    }
  }

  /// The way to the front of the root layer.
  var rootPath: [Entry] { Array(path.prefix { !$0.isModal }) }

  mutating func wander(_ steps: Int) throws {
    if app.state.instances.count > 60 { app.store.send(.navigate(.begin)) }
    for _ in 0..<steps {
      guard let current = app.state.current,
        let action = RandomGraph.actions.randomElement(using: &random),
        let text = ["a", "b", "c/d;e=%!", ""].randomElement(using: &random)
      else { return }
      if Int.random(in: 0..<8, using: &random) == 0 {
        let node = Int.random(in: app.graph.nodes.indices, using: &random)
        app.store.send(.navigate(.select(node: node)))
      } else {
        try app.emit(current, "\(action)=\(text)")
      }
    }
  }

  mutating func plan() -> LinkPlan {
    let nodes = app.graph.nodes.indices
    // Half of the links begin where the app is.
    var steps: [Link.Step] = []
    if let first = path.first, Bool.random(using: &random) {
      steps.append(.push(Target(node: first.node, first.arguments), isLiving: false))
    } else {
      steps.append(
        .push(Target(node: Int.random(in: nodes, using: &random), tag()), isLiving: false))
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let node = Int.random(in: nodes, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: steps.append(.present(Target(node: node, tag())))
      case 1, 2:
        let last = steps.last.flatMap { step -> Int? in
          if case .push(let target, _) = step { target.node } else { nil }
        }
        if let last, case .tabs(let tabs) = app.graph.nodes[last].content,
          let tab = tabs.randomElement(using: &random)
        {
          steps.append(.select(node: tab.node))
        } else {
          steps.append(.select(node: node))
        }
      default: steps.append(.push(Target(node: node, tag()), isLiving: false))
      }
    }
    return LinkPlan(address: "random", steps: steps, needs: nil)
  }

  private mutating func tag() -> Value {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: ["tag": .string(MockArguments.refused)]
    case 1, 2: ["tag": "a"]
    case 3: ["tag": "b"]
    default: [:]
    }
  }
}
