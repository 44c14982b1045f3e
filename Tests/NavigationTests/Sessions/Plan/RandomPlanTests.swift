@_spi(Host) import AppCore
import Foundation
internal import TestSupport
import Testing

@_spi(Host) @testable import Navigation
@testable import Sessions

/// Sessions under manifests that were changed, and sessions that somebody has edited by hand.
///
/// `APPCORE_FUZZ_PLANS` says how many, `APPCORE_FUZZ_SEED` where to begin.
@Suite("Plans of random sessions")
struct RandomPlanTests {
  @Test("Every instance is in the plan, and what it says is what is there afterwards")
  func outcomes() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["APPCORE_FUZZ_PLANS"].flatMap(Int.init) ?? 1000
    let seed = environment["APPCORE_FUZZ_SEED"].flatMap(UInt64.init) ?? 1
    var random = SplitMix64(seed: seed)
    var outcomes: [String: Int] = [:]
    for round in 0..<count {
      let former = RandomSessionGraph(&random)
      let image = former.image(&random)
      let graph = Bool.random(using: &random) ? former.graph : RandomSessionGraph(&random).graph
      var features = RandomFeatures(random: SplitMix64(seed: random.next()))
      guard let plan = try? SessionPlan.make(of: image, in: graph, &features) else {
        outcomes["refused", default: 0] += 1
        continue
      }
      for entry in plan.entries {
        outcomes["\(entry.outcome)".prefix { $0 != "(" }.lowercased(), default: 0] += 1
      }
      let problem = check(plan, of: image, in: graph)
      #expect(problem == nil, "round \(round) of seed \(seed)")
      if problem != nil { return }
    }
    // Each outcome was met.
    #expect(outcomes.count == 5, "\(outcomes)")
  }

  /// What is wrong with a plan and the app that it gives; `nil` where nothing is.
  private func check(_ plan: SessionPlan, of image: SessionImage, in graph: Graph) -> String? {
    guard plan.entries.map(\.id).sorted() == image.moment.instances.keys.sorted() else {
      return "an instance is missing from the plan"
    }
    var ids: [InstanceID] = []
    let table = FeatureTable([LoadedFeature?](repeating: nil, count: graph.nodes.count))
    let factory = InstanceFactory(graph: graph, features: table, calls: CallRecorder())
    let state = AppState(plan.layout, after: AppState(), factory: factory, ids: &ids)
    guard ids.count == plan.ids.count, state.instances.count == ids.count else {
      return "the app does not have the instances of the layout"
    }
    let placed = Dictionary(
      zip(plan.ids, ids).compactMap { former, id in former.map { ($0, id) } },
      uniquingKeysWith: { first, _ in first })
    for entry in plan.entries {
      let isBack = if case .dropped = entry.outcome { false } else { true }
      let node = placed[entry.id].flatMap { state.instances[$0] }.map { (instance: Instance) in
        graph.nodes[instance.node].name
      }
      guard node == (isBack ? entry.newNode : nil) else {
        return "\(entry) is there as \(node ?? "nothing")"
      }
    }
    return checkStructure(state)
  }

  /// What is wrong with how the instances stand; `nil` where each is where it can be reached.
  private func checkStructure(_ state: AppState) -> String? {
    var reached: Set<InstanceID> = []
    var pending: [InstanceID] = state.navigation.background
    var stacks: [StackID?] = []
    var layer = state.navigation.topLayer
    var over: InstanceID?
    while let id = layer, let found = state.navigation.layers[id] {
      if let covered = over, state.layer(of: covered) != id { return "a layer covers another's" }
      over = found.over
      stacks.append(found.stack)
      layer = found.below
    }
    if over != nil { return "the root layer covers something" }
    while true {
      if let stack = stacks.popLast() {
        guard let stack, let found = state.navigation.stacks[stack] else {
          return "a stack is gone"
        }
        var next: InstanceID? = found.top
        while let id = next {
          guard state.instances[id]?.stack == stack else { return "a stack holds another's" }
          pending.append(id)
          next = state.instances[id]?.below
        }
      } else if let id = pending.popLast() {
        guard reached.insert(id).inserted, let instance = state.instances[id] else {
          return "an instance is in two places, or gone"
        }
        pending += instance.background
        if let tabs = instance.tabs {
          guard tabs.stacks.indices.contains(tabs.selected), tabs.stacks[tabs.selected] != nil
          else {
            return "a container shows no tab"
          }
          stacks += tabs.stacks.filter { $0 != nil }
        }
      } else {
        break
      }
    }
    if state.current == nil { return "nothing is shown" }
    return reached.count == state.instances.count ? nil : "an instance can't be reached"
  }
}
