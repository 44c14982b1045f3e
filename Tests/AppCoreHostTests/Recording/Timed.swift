@_spi(Host) internal import AppCheck
@_spi(Host) internal import AppCore
internal import AppCoreTesting
internal import Shell
internal import Support
import Synchronization

@testable internal import AppCoreHost

/// A clock that stands still until something is said to take time.
final class Stopwatch: Sendable {
  private let time = Mutex(1_000_000_000)

  /// In nanoseconds.
  var now: Int { time.withLock { $0 } }

  func spend(_ milliseconds: Int) { time.withLock { $0 += milliseconds * 1_000_000 } }
}

private enum StopwatchKey: DependencyKey {
  static var liveValue: Stopwatch { Stopwatch() }
  static var testValue: Stopwatch { Stopwatch() }
}

/// A feature whose actions take exactly as long as they say, by the stopwatch of its app.
struct Work: Feature {
  struct Arguments: Codable, Sendable {}

  struct State: Codable, Sendable, Hashable {
    var count = 0
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case quickTapped
      case slowTapped
      case effectTapped
      case waitTapped
      case openTapped
      case passwordChanged(Secret<String>)
    }
    enum Internal: Sendable {
      case loaded(count: Int)
    }
    enum Delegate: Codable, Sendable, Hashable {
      case opened
    }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
  }

  @Dependency(StopwatchKey.self) private var stopwatch
  @Dependency(\.clock) private var clock

  func initialState(_ arguments: Arguments) -> State { State() }

  /// Takes 4 ms.
  func didStart(_ state: inout State) -> Effect<Action> {
    stopwatch.spend(4)
    return .none
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.quickTapped): stopwatch.spend(1)
    case .view(.slowTapped): stopwatch.spend(7)
    case .view(.effectTapped):
      stopwatch.spend(2)
      return .run { [stopwatch] send in
        stopwatch.spend(3)
        await send(.internal(.loaded(count: 3)))
      }
    case .view(.waitTapped): return .run { [clock] _ in try await clock.sleep(for: .seconds(60)) }
    case .view(.openTapped): return .send(.delegate(.opened))
    case .view(.passwordChanged): stopwatch.spend(1)
    case .internal(.loaded(let count)):
      stopwatch.spend(10)
      state.count = count
    case .delegate: break
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Work") { screen in
      screen.button("Quick", id: "quick", action: .quickTapped)
      screen.button("Slow", id: "slow", action: .slowTapped)
      screen.button("Effect", id: "effect", action: .effectTapped)
      screen.button("Wait", id: "wait", action: .waitTapped)
      screen.button("Open", id: "open", action: .openTapped)
      screen.secretField("Password", id: "password", isSet: false) { .passwordChanged($0) }
    }
  }
}

private struct TimedPlugin: Plugin {
  static let name = "Timed"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Work.self) { _ in Work() }
  }
}

/// An app of ``Work``, which measures by a stopwatch.
struct TimedApp {
  let app: App
  let stopwatch: Stopwatch
  let profiler: Profiler

  init(
    json: Bool = false, stopwatch: Stopwatch = Stopwatch(), profile: ProfileMemory? = nil
  ) async throws {
    self.stopwatch = stopwatch
    profiler = Profiler(
      try profile ?? ProfileMemory(limit: 1), now: { stopwatch.now })
    var options = AppOptions(environment: [:])
    options.scanner = nil
    options.linkedPlugins = [LoadedPlugin(TimedPlugin.self)]
    let loaded = try LoadedApp.load(
      text: """
        appcore: 1
        name: timed
        plugins: [Timed]
        start: first
        nodes:
          first: { feature: Timed.Work }
          second: { feature: Timed.Work }
        routes:
          - { from: first, action: opened, push: second }
          - { from: second, action: opened, do: ignore }

        """, path: "timed.yaml", options: options)
    var values = DependencyValues(context: .test)
    values[StopwatchKey.self] = stopwatch
    values.sharedStorage = SharedStorage()
    values.clock = TestClock().appClock
    app = App(
      loaded, dependencies: values, now: { stopwatch.now },
      profiler: profile == nil ? nil : profiler)
    try await app.begin()
    await app.converse(
      SessionSettings(format: json ? .json : .text(.plain), isInteractive: false, width: 80))
  }

  /// What the last of the lines printed besides the screen.
  func type(_ lines: String...) async -> [String] {
    var output: [String] = []
    for line in lines { output = await app.send(line: line).output }
    return output
  }
}
