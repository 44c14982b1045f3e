@_spi(Host) import AppCore
import Glibc
@_spi(Host) import Navigation
import PluginHost

/// Measures the rows on a store's own thread.
actor Bench {
  private let thread = StoreThread(name: "bench")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
  let measurement: Measurement

  init(_ measurement: Measurement) { self.measurement = measurement }

  func rows() throws -> [Row] {
    byHand = measurement.nanoseconds(count: 20_000_000, ByHand.run)
    var rows = [counterAtRoot()].compactMap(\.self)
    atRoot = rows.first?.nanoseconds ?? byHand
    rows += timed("shared logic as a method", than: .atRoot) { sharedLogic(.byMethod) }
    rows += timed("shared logic as an action sent to oneself", than: .atRoot) {
      sharedLogic(.bySend)
    }
    rows += timed("counter through three scoped stores", than: .atRoot) { scopedCounter() }
    for count in [1, 100] {
      rows += timed("counter with \(count) observers", than: .atRoot) {
        observedCounter(by: count)
      }
    }
    for depth in [1, 1_000, 100_000] {
      rows += try timed("action to a feature in a .so, depth \(depth)", than: .byHand) {
        try pluginCounter(depth: depth)
      }
    }
    rows += try timed("the same, the state before each action kept", than: .byHand) {
      try pluginCounter(depth: 1_000, keepsStates: true)
    }
    rows += try timed("push and back, depth 100,000", than: .byHand) {
      try pushAndBack(depth: 100_000)
    }
    rows += nestedScopes() + siblings() + stacks() + presentations() + effects()
    rows += try instances() + replacements()
    let manifests = ManifestRows(measurement: measurement)
    return try rows + manifests.rows() + manifests.growth()
  }

  /// The baseline of a row, measured earlier in the same run.
  enum Baseline: String {
    case byHand = "switch by hand"
    case atRoot = "counter at the root"
  }
  private var byHand = Double.nan
  private var atRoot = Double.nan

  /// Measures one row; empty if the row is not selected.
  func timed(
    _ name: String, than baseline: Baseline, _ measure: () throws -> Double
  ) rethrows -> [Row] {
    guard measurement.includes(name) else { return [] }
    return [
      Row(
        name: name, nanoseconds: try measure(), baseline: baseline.rawValue,
        baselineNanoseconds: baseline == .byHand ? byHand : atRoot)
    ]
  }

  /// The time that a store takes for each `action`, in nanoseconds.
  func sending<State, Action: ComponentAction>(
    _ action: Action, to store: Store<State, Action>, count: Int = 1_000_000
  ) -> Double {
    measurement.nanoseconds(count: count) { count in
      for _ in 0..<count { store.send(action) }
    }
  }

  private func counterAtRoot() -> Row? {
    // Measured even if it is not selected: it is the baseline of other rows.
    let store = Store(initialState: 0, reducer: RootCounter(), isolation: self)
    return Row(
      name: "counter at the root of a store", nanoseconds: sending(.add, to: store),
      baseline: Baseline.byHand.rawValue, baselineNanoseconds: byHand)
  }

  private func pluginCounter(depth: Int, keepsStates: Bool = false) throws -> Double {
    let (store, feature) = try app(depth: depth)
    guard let id = store.state.current, let state = store.state.instances[id]?.state,
      let action = feature.screen(state).action(control: 0, input: .press)
    else { return .nan }
    guard keepsStates else { return sending(.instance(id, action), to: store) }
    var kept: [AppState] = []
    return measurement.nanoseconds(count: 10_000) { count in
      kept.removeAll(keepingCapacity: true)
      for _ in 0..<count {
        kept.append(store.state)
        store.send(.instance(id, action))
      }
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

  private func push(_ store: Store<AppState, AppAction>, _ feature: LoadedFeature) {
    guard let id = store.state.current, let state = store.state.instances[id]?.state,
      let action = feature.screen(state).action(control: 1, input: .press)
    else { return }
    store.send(.instance(id, action))
  }

  /// An app whose only visible node pushes itself, `depth` instances deep, with `others` in the
  /// background.
  func app(
    depth: Int, beside others: Int = 0
  ) throws -> (Store<AppState, AppAction>, LoadedFeature) {
    let plugin = try BenchPlugin.load()
    let feature = try plugin.instantiate(configuration: .null)[0]
    let graph = Graph(
      name: "bench", title: "bench",
      nodes: [
        Node(name: "counter", content: .feature("c")), Node(name: "other", content: .feature("c")),
      ],
      start: Target(node: 0), background: (0..<others).map { _ in Target(node: 1) },
      routes: [
        Route(
          node: 0, action: "another",
          verbs: [.push(Target(node: 0), singleTop: false, .refuse)])
      ])
    let store = Store(
      initialState: AppState(), reducer: Router(graph: graph, features: [feature, feature]),
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
  case notReplaced
  case noPlugin(String)
  /// Work that does not grow with its input: of what, and how many times as much each part takes.
  case notLinear(String, Double)
  case wrongManifest(String)
}

/// The plugin in this program's folder, which is loaded like any other.
enum BenchPlugin {
  static func load() throws -> LoadedPlugin {
    guard let folder = PluginLocator.executableFolder()
    else { throw BenchError.noPlugin("the program's folder is not known") }
    let loader = PluginLoader(environment: ["HOME": "/tmp"])
    let plugin = try loader.load(loader.open(path: folder + "/libBenchCounter.so"))
    guard let exported = plugin.entry() else { throw BenchError.noPlugin("no export") }
    return LoadedPlugin(exported: exported)
  }
}

/// A counter as a plain reducer, without a plugin around it.
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
