import AppCore
internal import Support
internal import TestSupport
import Testing

@testable import Navigation

/// Drives the store and the model with the same random actions, and compares them after each.
@MainActor
final class ModelRun {
  private let app: TestApp
  private var model: Model
  private var random: SplitMix64
  /// Which instance of the store is which of the model.
  private var ids: [Int: InstanceID] = [:]
  /// An instance that was there once.
  private var former: InstanceID?
  private(set) var counts: [String: Int] = [:]

  init(seed: UInt64) throws {
    var graph = RandomGraph(seed: seed)
    app = try TestApp(graph: graph.make())
    model = Model(graph: app.graph)
    random = SplitMix64(seed: ~seed)
    let outcome = model.begin()
    compare(outcome, before: 0, told: [:], "begin")
  }

  /// Takes `count` steps, fewer where something did not agree.
  ///
  /// - Returns: whether everything agreed.
  func run(_ count: Int) throws -> Bool {
    for step in 0..<count {
      let before = app.state.journal.count
      let (outcome, told, what) = try take()
      compare(outcome, before: before, told: told, "step \(step): \(what)")
      if let trouble {
        Issue.record("\(trouble)\nstore: \(app.picture)\n\(app.graph.allRoutes)")
        return false
      }
    }
    return true
  }

  private var trouble: String?

  private func take() throws -> (Model.Outcome, [Int: [String]], String) {
    // Nothing grows without end, so that the model stays quick.
    if model.all.count > 40 || model.layers.isEmpty {
      app.store.send(.navigate(.begin))
      return (model.begin(), [:], "begin")
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      app.store.send(.navigate(.back))
      return (model.navigate(.back), [:], "a person's back")
    case 1:
      app.store.send(.navigate(.dismiss))
      return (model.navigate(.dismiss), [:], "a person's dismiss")
    case 2:
      let node = Int.random(in: app.graph.nodes.indices, using: &random)
      app.store.send(.navigate(.select(node: node)))
      return (model.navigate(.select(node: node, .refuse)), [:], "a person's select \(node)")
    case 3:
      guard let former, app.state.instances[former] == nil, let current = app.state.current else {
        return (Model.Outcome(), [:], "nothing")
      }
      app.store.send(.instance(former, try app.typed("go", into: current)))
      return (Model.Outcome(refusal: "gone"), [:], "an action for one that is gone")
    default: return try emit()
    }
  }

  private func emit() throws -> (Model.Outcome, [Int: [String]], String) {
    let emitters = model.all.filter { $0.tabs.isEmpty }
    var emitter = emitters.randomElement(using: &random)?.id
    if Int.random(in: 0..<5, using: &random) < 3 { emitter = model.current }
    guard let emitter, let id = ids[emitter],
      let action = RandomGraph.actions.randomElement(using: &random),
      let text = ["a", "b", "b", MockArguments.refused].randomElement(using: &random)
    else { return (Model.Outcome(), [:], "nothing") }
    var told: [Int: [String]] = [:]
    let outcome = model.emit(action, from: emitter, .object(["text": .string(text)]))
    for (receiver, text) in outcome.told {
      if told[receiver] == nil, let id = ids[receiver] { told[receiver] = try app.heard(id) }
      told[receiver, default: []].append(text)
    }
    former = id
    try app.emit(id, "\(action)=\(text)")
    return (outcome, told, "\(action) from \(emitter) with \(text)")
  }

  private func compare(
    _ outcome: Model.Outcome, before: Int, told: [Int: [String]], _ what: String
  ) {
    var codes: [String] = []
    var dropped = 0
    for event in app.state.journal.events(after: before) {
      switch event.outcome {
      case .refused(_, _, let refusal): codes.append(refusal.code)
      case .noReceiver: dropped += 1
      case .dropped(let rejection): codes.append(rejection.code)
      case .emitted, .navigated, .notified, .waiting: break
      case .warned, .reloaded, .notReloaded, .restored: codes.append("\(event)")
      }
    }
    // The first comparison looks at the journal from the start of the app.
    expect(
      codes == (outcome.refusal.map { [$0] } ?? []), "\(codes), not \(outcome.refusal ?? "-")", what
    )
    expect(dropped == outcome.dropped, "\(dropped) dropped, not \(outcome.dropped)", what)
    counts[outcome.refusal ?? "accepted", default: 0] += 1
    counts["told", default: 0] += outcome.told.count
    compareStructure(what)
    for (receiver, lines) in told {
      let heard = ids[receiver].flatMap { try? app.heard($0) }
      expect(heard == lines, "\(receiver) heard \(heard ?? []), not \(lines)", what)
    }
    let broken = Invariants.broken(in: app.state, of: app.graph)
    expect(broken.isEmpty, broken.joined(separator: "; "), what)
  }

  private func expect(_ holds: Bool, _ text: @autoclosure () -> String, _ what: String) {
    if !holds, trouble == nil { trouble = "\(what): \(text())" }
  }
}

// The structure: every instance of the model is one of the store, the same as before.
extension ModelRun {
  private func compareStructure(_ what: String) {
    var layers: [Layer] = []
    var next = app.state.navigation.topLayer
    while let layer = next.flatMap({ app.state.navigation.layers[$0] }) {
      layers.insert(layer, at: 0)
      next = layer.below
    }
    var seen: [Int: InstanceID] = [:]
    guard layers.count == model.layers.count else {
      return expect(false, "\(layers.count) layers, not \(model.layers.count)", what)
    }
    for (layer, due) in zip(layers, model.layers) {
      compare(layer.stack, due.stack, &seen, what)
      expect(layer.over == due.over.flatMap { seen[$0] }, "a modal lies over another", what)
    }
    compare(app.state.navigation.background, model.background, &seen, what)
    expect(app.state.current == model.current.flatMap { seen[$0] }, "another is current", what)
    let isAll = app.state.instances.count == seen.count
    expect(isAll, "there are other instances", what)
    for due in model.all {
      let presenter = seen[due.id].flatMap { app.state.instances[$0]?.presenter }
      let alive = presenter.flatMap { app.state.instances[$0] == nil ? nil : $0 }
      expect(alive == due.presenter.flatMap { seen[$0] }, "\(due.id) has another presenter", what)
    }
    ids = seen
  }

  private func compare(
    _ stack: StackID?, _ due: [Model.Entry], _ seen: inout [Int: InstanceID], _ what: String
  ) {
    var entries: [InstanceID] = []
    var next = stack.flatMap { app.state.navigation.stacks[$0]?.top }
    while let id = next {
      entries.insert(id, at: 0)
      next = app.state.instances[id]?.below
    }
    compare(entries, due, &seen, what)
  }

  private func compare(
    _ entries: [InstanceID], _ due: [Model.Entry], _ seen: inout [Int: InstanceID], _ what: String
  ) {
    guard entries.count == due.count else {
      return expect(false, "\(entries.count) instances, not \(due.count)", what)
    }
    for (id, due) in zip(entries, due) {
      guard let instance = app.state.instances[id] else {
        return expect(false, "an instance is gone", what)
      }
      expect(ids[due.id] == nil || ids[due.id] == id, "\(due.id) was made anew", what)
      seen[due.id] = id
      expect(instance.node == due.node, "\(due.id) is another node", what)
      expect(instance.arguments == due.arguments, "\(due.id) has other arguments", what)
      compare(instance.background, due.background, &seen, what)
      guard let tabs = instance.tabs else {
        expect(due.tabs.isEmpty, "\(due.id) is no container", what)
        continue
      }
      expect(tabs.selected == due.selected, "another tab of \(due.id) is selected", what)
      expect(tabs.stacks.count == due.tabs.count, "\(due.id) has other tabs", what)
      for (stack, due) in zip(tabs.stacks, due.tabs) {
        expect((stack == nil) == (due == nil), "a tab is made that should not be", what)
        if let due { compare(stack, due, &seen, what) }
      }
    }
  }
}
