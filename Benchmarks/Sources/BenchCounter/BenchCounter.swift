import AppCore

/// A counter in a shared library: the least that a feature can do.
struct BenchCounter: Plugin {
  static let name = "BenchCounter"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Counter.self) { _ in Counter() }
    registry.feature(Form.self) { _ in Form() }
  }
}

struct Counter: Feature {
  struct State: Codable, Sendable { var count = 0 }

  enum Action: FeatureAction {
    enum View: Codable, Sendable {
      case addTapped
      case anotherTapped
    }
    enum Delegate: Codable, Sendable { case another }
    case view(View)
    case delegate(Delegate)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.addTapped):
      state.count += 1
      return .none
    case .view(.anotherTapped): return .send(.delegate(.another))
    case .delegate: return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Counter") { screen in
      screen.text("\(state.count)")
      screen.button("Add", id: "add", action: .addTapped)
      screen.button("Another", id: "another", action: .anotherTapped)
    }
  }
}

@c(appcore_plugin_BenchCounter)
public func benchCounterPlugin() -> UnsafeMutableRawPointer { export(BenchCounter.self) }
