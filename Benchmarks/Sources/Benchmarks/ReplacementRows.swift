@_spi(Host) import AppCore
import Glibc
@_spi(Host) import Navigation
import PluginHost

// The cost of replacing a plugin by another build while it runs, compared with encoding and
// decoding the states alone.
extension Bench {
  /// Carries 100 instances over to another build and back; both builds are loaded already.
  func replacements() throws -> [Row] {
    let name = "100 instances go over to another build"
    guard measurement.includes(name) else { return [] }
    let builds = try BenchPlugin.builds().compactMap {
      try $0.instantiate(configuration: .null).first { $0.info.name.hasSuffix(".Form") }
    }
    guard builds.count == 2 else { throw BenchError.notReplaced }
    let graph = Graph(
      name: "bench", title: "bench", nodes: [Node(name: "form", content: .feature("f"))],
      start: Target(node: 0),
      routes: [
        Route(
          node: 0, action: "another",
          verbs: [.push(Target(node: 0), singleTop: false, .refuse)])
      ])
    let store = Store(
      initialState: AppState(), reducer: Router(graph: graph, features: [builds[0]]),
      isolation: self)
    store.send(.navigate(.begin))
    for _ in 1..<100 {
      guard let id = store.state.current, let state = store.state.instances[id]?.state,
        let action = builds[0].screen(state).action(control: 1, input: .press)
      else { throw BenchError.notDeep }
      store.send(.instance(id, action))
    }
    var turn = 0
    var failed = false
    let swap = measurement.nanoseconds(count: 200) { count in
      for _ in 0..<count {
        turn += 1
        let replacement = Replacement(
          plugin: "bench", versions: ("1", "1"), graph: graph, features: [0: builds[turn % 2]],
          isAsked: true)
        store.send(.replace(replacement))
        if case .success(100)? = replacement.outcome {} else { failed = true }
      }
    }
    let state = HandState()
    var sum = 0
    let byHand = try measurement.throwingNanoseconds(count: 200) { count in
      for _ in 0..<count * 100 {
        let value = try ValueEncoder().encode(state)
        sum += try ValueDecoder().decode(HandState.self, from: value).rows.count
      }
    }
    guard !failed, sum > 0 else { throw BenchError.notReplaced }
    return [
      Row(
        name: name, nanoseconds: swap, baseline: "100 encoded and decoded by hand",
        baselineNanoseconds: byHand)
    ]
  }
}

/// A copy of `FormState`, the state of the plugin's feature.
private struct HandState: Codable {
  struct Row: Codable {
    var name: String
    var amount: Int
    var isPaid: Bool
  }
  enum Mode: String, Codable { case reading, editing }

  var title = "An order"
  var note = "To be delivered on a weekday, before noon"
  var edits = 0
  var total = 129.95
  var isUrgent = false
  var mode = Mode.reading
  var selected: Int? = 1
  var password = Secret("hunter2")
  var rows = (0..<3).map { Row(name: "Row \($0)", amount: $0 * 10, isPaid: $0 == 0) }
  @Presented var child: Row?
}

extension BenchPlugin {
  /// Two builds of the plugin: copies of its file with different bytes at the end.
  static func builds() throws -> [LoadedPlugin] {
    guard let folder = PluginLocator.executableFolder()
    else { throw BenchError.noPlugin("the program's folder is not known") }
    var template = Array("/tmp/appcore-bench-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw BenchError.noPlugin("no temporary folder") }
    let path = String(cString: made)
    defer { _ = system("rm -rf '\(path)'") }
    let loader = PluginLoader(environment: ["XDG_CACHE_HOME": path])
    return try ["a", "b"].map { build in
      let copy = "\(path)/\(build).so"
      let command = "cp '\(folder)/libBenchCounter.so' '\(copy)' && printf \(build) >> '\(copy)'"
      guard system(command) == 0 else { throw BenchError.noPlugin(copy) }
      guard let exported = try loader.load(loader.open(path: copy)).entry() else {
        throw BenchError.noPlugin("no export")
      }
      return LoadedPlugin(exported: exported)
    }
  }
}

extension Measurement {
  /// The median as in ``nanoseconds(count:_:)``, of work that may throw.
  func throwingNanoseconds(
    count: Int, _ body: (_ count: Int) throws -> Void
  ) throws -> Double {
    var failure: (any Error)?
    let figure = nanoseconds(count: count) { count in
      do { try body(count) } catch { failure = error }
    }
    if let failure { throw failure }
    return figure
  }
}
