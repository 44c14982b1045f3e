import AppCore
import AppCoreRuntime
import Glibc
import Navigation
import PluginHost

/// The rows, measured on a store's own thread.
actor Bench {
  private let thread = StoreThread(name: "bench")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
  private let measurement: Measurement

  init(_ measurement: Measurement) { self.measurement = measurement }

  func rows() throws -> [Row] {
    let byHand = measurement.nanoseconds(count: 20_000_000, ByHand.run)
    var rows: [Row] = []
    func add(_ name: String, _ nanoseconds: Double) {
      rows.append(
        Row(
          name: name, nanoseconds: nanoseconds, baseline: "switch by hand",
          baselineNanoseconds: byHand))
    }
    add("counter at the root of a store", rootCounter())
    for depth in [1, 1_000, 100_000] {
      add("action to a feature in a .so, depth \(depth)", try pluginCounter(depth: depth))
    }
    add("push and back, depth 100,000", try pushAndBack(depth: 100_000))
    return rows
  }

  private func rootCounter() -> Double {
    let store = Store(initialState: 0, reducer: RootCounter(), isolation: self)
    return measurement.nanoseconds(count: 2_000_000) { count in
      for _ in 0..<count { store.send(.add) }
    }
  }

  private func pluginCounter(depth: Int) throws -> Double {
    let (store, feature) = try app(depth: depth)
    guard let id = store.state.current, let state = store.state.instances[id]?.state,
      let action = feature.screen(state).action(control: 0, input: .press)
    else { return .nan }
    return measurement.nanoseconds(count: 2_000_000) { count in
      for _ in 0..<count { store.send(.instance(id, action)) }
    }
  }

  private func pushAndBack(depth: Int) throws -> Double {
    let (store, feature) = try app(depth: depth)
    return measurement.nanoseconds(count: 50_000) { count in
      for _ in 0..<count {
        push(store, feature)
        store.send(.navigate(.back))
      }
    }
  }

  private func push(_ store: Store<AppState, AppAction>, _ feature: FeatureWitness) {
    guard let id = store.state.current, let state = store.state.instances[id]?.state,
      let action = feature.screen(state).action(control: 1, input: .press)
    else { return }
    store.send(.instance(id, action))
  }

  /// An app of one node that pushes itself, `depth` instances deep.
  private func app(depth: Int) throws -> (Store<AppState, AppAction>, FeatureWitness) {
    let plugin = try BenchPlugin.load()
    let feature = try plugin.instantiate(configuration: .null)[0]
    let graph = Graph(
      name: "bench", title: "bench", nodes: [Node(name: "counter", content: .feature("c"))],
      start: Target(node: 0),
      routes: [
        Route(
          node: 0, action: "another",
          verbs: [.push(Target(node: 0), singleTop: false, .refuse)])
      ])
    let store = Store(
      initialState: AppState(), reducer: Router(graph: graph, features: [feature]),
      isolation: self)
    store.send(.navigate(.begin))
    for _ in 1..<depth { push(store, feature) }
    guard let id = store.state.current, store.state.instances[id]?.depth == depth else {
      throw BenchError.notDeep
    }
    return (store, feature)
  }
}

enum BenchError: Error {
  case notDeep
  case noPlugin(String)
}

/// The plugin that stands beside this program, loaded as any other.
enum BenchPlugin {
  static func load() throws -> PluginWitness {
    guard let folder = PluginLocator.executableFolder(),
      let contract = Contract(symbol: SDK.contractSymbol)
    else { throw BenchError.noPlugin("the program's folder is not known") }
    let loader = PluginLoader(contract: contract, environment: ["HOME": "/tmp"])
    let plugin = try loader.load(loader.open(path: folder + "/libBenchCounter.so"))
    guard let exported = plugin.entry() else { throw BenchError.noPlugin("no export") }
    return PluginWitness(exported: exported)
  }
}

/// A counter with no boundary around it.
struct RootCounter: Reducer {
  enum Action: ComponentAction {
    case add
    case remove
  }

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .add: state += 1
    case .remove: state -= 1
    }
    return .none
  }
}
