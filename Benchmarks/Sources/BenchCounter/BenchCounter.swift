import AppCore

/// A counter in a shared library, the smallest feature, and two larger features.
struct BenchCounter: Plugin {
  static let name = "BenchCounter"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Counter.self) { _ in Counter() }
    registry.feature(Sheet.self) { _ in Sheet() }
    registry.feature(Form.self) { _ in Form() }
  }
}

struct Counter: Feature {
  struct State: Codable, Sendable { var count = 0 }

  enum Action: FeatureAction {
    enum View: Codable, Sendable {
      case addTapped
      case anotherTapped
      case sheetTapped
    }
    enum Delegate: Codable, Sendable {
      case another
      case sheet(lines: Int)
    }
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
    case .view(.sheetTapped): return .send(.delegate(.sheet(lines: state.count)))
    case .delegate: return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Counter") { screen in
      screen.text("\(state.count)")
      screen.button("Add", id: "add", action: .addTapped)
      screen.button("Another", id: "another", action: .anotherTapped)
      screen.button("Sheet", id: "sheet", action: .sheetTapped)
    }
  }
}

/// A screen with a given number of lines.
struct Sheet: Feature {
  struct Arguments: Codable, Sendable { var lines: Int }
  struct State: Codable, Sendable {
    var lines: Int
    var taps = 0
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable { case tapped }
    case view(View)
  }

  func initialState(_ arguments: Arguments) -> State { State(lines: arguments.lines) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.taps += 1
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Sheet") { screen in
      screen.button("Tap", id: "tap", action: .tapped)
      for line in 0..<state.lines { screen.text("line \(line) of a screen, tap \(state.taps)") }
    }
  }
}

@c(appcore_plugin_BenchCounter)
public func benchCounterPlugin() -> UnsafeMutableRawPointer { export(BenchCounter.self) }
