@_spi(Host) import AppCore
internal import Support
import Testing

@_spi(Host) @testable import Navigation

/// An app of mock features on the real store, with what a test needs to drive and to see it.
@MainActor
final class TestApp {
  /// A route, by the names of places.
  typealias RouteLine = (from: Place, action: String, verbs: [RouteVerb])

  let graph: Graph
  let features: [LoadedFeature?]
  let store: Store<AppState, AppAction>
  let record = WorkRecord()

  init(graph: Graph, clock: AppClock? = nil) throws {
    self.graph = graph
    features = try TestApp.features(of: graph)
    store = Store(
      initialState: AppState(), reducer: Router(graph: graph, features: features),
      isolation: MainActor.shared)
    var dependencies = DependencyValues(context: .test)
    dependencies.workRecord = record
    if let clock { dependencies.clock = clock }
    store.setDependencies(dependencies)
    store.send(.navigate(.begin))
  }

  /// The app of the places, from `start`.
  convenience init(
    _ start: Place, tag: String? = nil, background: [Target] = [], clock: AppClock? = nil,
    _ routes: RouteLine...
  ) throws {
    try self.init(
      graph: Graph(
        name: "test", title: "Test", nodes: Place.allCases.map(\.definition),
        start: Target(start, tag), background: background,
        routes: routes.map { Route(node: $0.from.node, action: $0.action, verbs: $0.verbs) }),
      clock: clock)
  }

  /// The mock feature of each node of a graph.
  nonisolated static func features(of graph: Graph) throws -> [LoadedFeature?] {
    let mocks = try LoadedPlugin(MockPlugin.self).instantiate(configuration: .object([:]))
    return graph.nodes.map { node in mocks.first { $0.info.name == node.feature } }
  }

  var state: AppState { store.state }

  /// The instances of a place, those presented last at the end.
  func all(_ place: Place) -> [InstanceID] {
    var found: [InstanceID] = []
    var next = state.navigation.lastOfNode[place.node]
    while let id = next {
      found.insert(id, at: 0)
      next = state.instances[id]?.previousOfNode
    }
    return found
  }

  /// The instance of a place that was presented last.
  func last(_ place: Place) throws -> InstanceID {
    try #require(all(place).last, "there is no '\(place)' in \(picture)")
  }

  /// Types into the screen of the last instance of `place` what it emits, such as `go=a more`.
  func emit(_ place: Place, _ text: String) throws { try emit(try last(place), text) }

  /// Types into the screen of an instance what it emits.
  func emit(_ id: InstanceID, _ text: String) throws {
    store.send(.instance(id, try typed(text, into: id)))
  }

  /// The view action for what is typed into the screen of an instance.
  func typed(_ text: String, into id: InstanceID) throws -> AnyAction {
    let instance = try #require(state.instances[id])
    let feature = try #require(features[instance.node])
    let state = try #require(instance.state)
    return try #require(feature.screen(state).action(control: 0, input: .text(text)))
  }

  /// What routes told an instance.
  func heard(_ id: InstanceID) throws -> [String] {
    let instance = try #require(state.instances[id])
    let feature = try #require(features[instance.node])
    let state = try feature.encode(try #require(instance.state))
    guard case .array(let lines)? = state["heard"] else { return [] }
    return lines.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  func heard(_ place: Place) throws -> [String] { try heard(try last(place)) }

  func presenter(_ place: Place) throws -> Place? {
    try state.instances[last(place)]?.presenter.flatMap { state.instances[$0] }
      .map { Place.allCases[$0.node] }
  }

  /// Everything that was refused and dropped, in words.
  var journal: [String] {
    state.journal.events.compactMap { event in
      switch event.outcome {
      case .emitted, .navigated, .notified, .waiting: nil
      case .refused(_, _, let refusal): refusal.code
      case .noReceiver(let input): "no-receiver \(input)"
      case .dropped(let rejection) where rejection.code == "gone": "gone"
      case .dropped(let rejection): "\(rejection.code) \(rejection.message)"
      case .warned, .reloaded, .notReloaded, .restored: "\(event)"
      }
    }
  }
}
