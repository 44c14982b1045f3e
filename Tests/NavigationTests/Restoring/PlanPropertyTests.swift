@_spi(Host) import AppCore
import Foundation
import Sessions
internal import TestSupport
import Testing

@_spi(Host) @testable import Navigation

/// Sessions and manifests that nobody thought of.
///
/// `APPCORE_PLANS` says how many pairs, `APPCORE_FUZZ_SEED` where to begin.
@Suite("Going on under any manifest") @MainActor
struct PlanPropertyTests {
  private let count: Int
  private let seed: UInt64

  init() {
    let environment = ProcessInfo.processInfo.environment
    count = environment["APPCORE_PLANS"].flatMap(Int.init) ?? 150
    seed = environment["APPCORE_FUZZ_SEED"].flatMap(UInt64.init) ?? 1
  }

  /// An app that has done something, and what was written down of it meanwhile.
  private func session(_ seed: UInt64) throws -> (app: TestApp, image: SessionImage)? {
    var random = SplitMix64(seed: seed)
    var graph = RandomGraph(seed: seed)
    let app = try TestApp(graph: graph.make())
    guard app.state.current != nil else { return nil }
    let saved = try SavedApp(app.graph)
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      if let current = app.state.current,
        let action = RandomGraph.actions.randomElement(using: &random)
      {
        try app.emit(current, "\(action)=\(Int.random(in: 0...3, using: &random))")
      }
      if app.state.instances.count > 60 { app.store.send(.navigate(.begin)) }
      if Bool.random(using: &random) { saved.record(app.state) }
    }
    saved.record(app.state)
    return (app, try saved.image())
  }

  @Test("An image written bit by bit equals one written at once")
  func recording() throws {
    for number in 0..<UInt64(count) {
      guard let (app, image) = try session(seed &+ number) else { continue }
      let whole = try SessionImage.whole(app.state, of: app.graph)
      #expect(image.withoutOrder == whole.withoutOrder, "seed \(seed &+ number)")
      #expect(image.moment.waitingLink == whole.moment.waitingLink)
    }
  }

  @Test("Under the same manifest everything comes back as it was")
  func same() throws {
    for number in 0..<UInt64(count) {
      guard let (app, image) = try session(seed &+ number) else { continue }
      let restored = try #require(try RestoredApp(image, in: app.graph))
      #expect(restored.plan.entries.allSatisfy { $0.outcome == .kept }, "seed \(seed &+ number)")
      #expect(!restored.plan.startsAnew)
      let again = try SessionImage.whole(restored.store.state, of: app.graph)
      #expect(again.moment.instances.count == image.moment.instances.count)
      #expect(Self.picture(of: again) == Self.picture(of: image), "seed \(seed &+ number)")
      #expect(Invariants.broken(in: restored.store.state, of: app.graph).isEmpty)
    }
  }

  /// An image with the instances known by their order within their nodes, not by their numbers.
  private static func picture(of image: SessionImage) -> Set<String> {
    var names: [InstanceID: String] = [:]
    let byNode = Dictionary(grouping: image.moment.instances.values, by: \.node)
    for (node, instances) in byNode {
      for (index, instance) in instances.sorted(by: { $0.order < $1.order }).enumerated() {
        names[instance.id] = "\(node) \(index)"
      }
    }
    func name(_ id: InstanceID?) -> String { id.flatMap { names[$0] } ?? "-" }
    return Set(
      image.moment.instances.values.map { instance in
        let place =
          switch instance.place {
          case .above(let id): "on \(name(id))"
          case .tab(let id, let node): "tab \(node) of \(name(id))"
          case .layer(let id): "over \(name(id))"
          case .background(let id): "behind \(name(id))"
          }
        return "\(name(instance.id)): \(place), by \(name(instance.presenter)), "
          + "\(instance.arguments), \(instance.selectedTab ?? ""), \(instance.state)"
      })
  }

  @Test("Under another manifest no instance is missing from the plan, and all becomes as planned")
  func changed() throws {
    var outcomes: [String: Int] = [:]
    for number in 0..<UInt64(count) {
      let seed = seed &+ number
      guard let (app, image) = try session(seed) else { continue }
      var change = GraphChange(seed: ~seed)
      let graph = change.changed(app.graph)
      guard let restored = try RestoredApp(image, in: graph, version: change.version) else {
        continue
      }
      try check(restored, image, graph, "seed \(seed)", &outcomes)
    }
    for outcome in ["kept", "migrated", "made", "dropped"] {
      #expect(outcomes[outcome, default: 0] > count / 10, "\(outcomes)")
    }
  }

  @Test("An image that makes no sense gives an app that does")
  func nonsense() throws {
    var outcomes: [String: Int] = [:]
    for number in 0..<UInt64(count) {
      let seed = seed &+ number
      guard let (app, found) = try session(seed) else { continue }
      var image = found
      var random = SplitMix64(seed: ~seed)
      for id in image.moment.instances.keys.sorted()
      where Int.random(in: 0..<3, using: &random) == 0 {
        image.moment.instances[id] = Self.confused(image, id, &random)
      }
      guard let restored = try RestoredApp(image, in: app.graph) else { continue }
      try check(restored, image, app.graph, "seed \(seed)", &outcomes)
    }
    #expect(outcomes["dropped", default: 0] > count / 10)
  }

  /// An instance that stands somewhere else than it did.
  private static func confused(
    _ image: SessionImage, _ id: InstanceID, _ random: inout SplitMix64
  ) -> SavedInstance? {
    guard let saved = image.moment.instances[id] else { return nil }
    let ids = image.moment.instances.keys.sorted()
    let other = ids.randomElement(using: &random) ?? id
    let node = image.identity.nodes.randomElement(using: &random)?.name ?? ""
    let places: [SavedInstance.Place] = [
      saved.place, .above(other), .tab(of: other, node: node), .layer(over: other),
      .layer(over: nil), .background(of: other), .background(of: nil), .above(4711),
    ]
    let states: [SavedInstance.State] = [
      saved.state, .container, .value(.string("nonsense")), .notEncodable(reason: "it was not"),
    ]
    return SavedInstance(
      id: id, node: Int.random(in: 0..<4, using: &random) == 0 ? node : saved.node,
      arguments: Bool.random(using: &random) ? saved.arguments : .array([1]),
      presenter: other, place: places.randomElement(using: &random) ?? saved.place,
      selectedTab: Bool.random(using: &random) ? node : saved.selectedTab, order: saved.order,
      state: states.randomElement(using: &random) ?? saved.state)
  }

  /// Compares an app with its plan.
  private func check(
    _ restored: RestoredApp, _ image: SessionImage, _ graph: Graph, _ what: String,
    _ outcomes: inout [String: Int]
  ) throws {
    #expect(Set(restored.plan.entries.map(\.id)) == Set(image.moment.instances.keys), "\(what)")
    #expect(restored.plan.entries.count == image.moment.instances.count, "\(what)")
    #expect(restored.store.state.instances.count == restored.restoration.ids.count, "\(what)")
    let broken = Invariants.broken(in: restored.store.state, of: graph)
    #expect(broken.isEmpty, "\(what): \(broken)")
    #expect(restored.store.state.current != nil, "\(what)")
    for entry in restored.plan.entries {
      let instance = restored.instance(entry.id)
      let saved = try #require(image.moment.instances[entry.id])
      switch entry.outcome {
      case .kept:
        outcomes["kept", default: 0] += 1
        let instance = try #require(instance, "\(what): \(entry)")
        #expect(graph.nodes[instance.node].name == entry.newNode)
        #expect(instance.arguments == saved.arguments)
        if case .value(let value) = saved.state {
          #expect(try restored.state(instance) == value, "\(what): \(entry)")
        }
      case .migrated:
        outcomes["migrated", default: 0] += 1
        #expect(instance?.state != nil, "\(what): \(entry)")
      case .unknown: Issue.record("\(what): \(entry)")
      case .madeAnew(let reason):
        outcomes["made", default: 0] += 1
        #expect(!reason.isEmpty)
        #expect(instance?.arguments == saved.arguments, "\(what): \(entry)")
      case .dropped(let reason):
        outcomes["dropped", default: 0] += 1
        #expect(!reason.isEmpty)
        #expect(instance == nil, "\(what): \(entry)")
      }
    }
  }
}
