import AppCore

/// A plugin with one feature of every kind of message, and with features that have defects.
struct CounterPlugin: Plugin {
  struct Configuration: Codable, Sendable, Defaulted {
    var step = 1
    var limit = 100
  }

  static let name = "Counter"
  static let version = "1.2.3"
  let configuration: Configuration

  init(configuration: Configuration) throws {
    guard configuration.step != 0 else { throw CounterError.noStep }
    self.configuration = configuration
  }

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Counter.self) { Counter(step: $0.configuration.step) }
    registry.feature(Mute.self, name: "Silent") { _ in Mute() }
    registry.feature(Unlabelled.self) { _ in Unlabelled() }
    registry.feature(Wordless.self) { _ in Wordless() }
  }
}

enum CounterError: Error, Equatable { case noStep, negative(Int) }

struct Counter: Feature {
  let step: Int

  struct Arguments: Codable, Sendable, Defaulted {
    var start = 10
    var title: String?
  }

  struct State: Codable, Sendable, Equatable {
    var count: Int
    var title: String
    var history: [String] = []
  }

  struct Place: Codable, Sendable, Equatable { var x: Int, y: Int }
  enum Mood: String, Codable, Sendable { case good = "fine", bad }

  enum Action: FeatureAction {
    enum View: Codable, Sendable { case addTapped, emitTapped(Int) }
    enum Internal: Sendable { case ticked }
    enum Delegate: Codable, Sendable {
      case closed
      case picked(Int)
      case placed(Place)
      case maybe(Int?)
      case named(name: String)
      case moved(from: Place, by: Int)
      case felt(Mood)
    }
    enum Input: Codable, Sendable {
      case reset
      case set(Int)
      case move(to: Place, mood: Mood?)
    }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
    case input(Input)
  }

  static let emitted: [Action.Delegate] = [
    .closed, .picked(3), .placed(Place(x: 1, y: 2)), .maybe(nil), .maybe(4), .named(name: "n"),
    .moved(from: Place(x: 0, y: 5), by: 2), .felt(.good),
  ]

  func initialState(_ arguments: Arguments) throws -> State {
    guard arguments.start >= 0 else { throw CounterError.negative(arguments.start) }
    return State(count: arguments.start, title: arguments.title ?? "untitled")
  }

  func didStart(_ state: inout State) -> Effect<Action> {
    state.history.append("started")
    return .send(.internal(.ticked))
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.addTapped): state.count += step
    case .view(.emitTapped(let index)): return .send(.delegate(Self.emitted[index]))
    case .internal(.ticked): state.history.append("ticked")
    case .delegate: state.history.append("saw its own delegate action")
    case .input(.reset): state.count = 0
    case .input(.set(let count)): state.count = count
    case .input(.move(let place, let mood)):
      state.history.append("moved to \(place.x),\(place.y) \(mood?.rawValue ?? "-")")
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen(state.title, back: .addTapped) { screen in
      screen.text("The count is \(state.count).")
      screen.button("Add", action: .addTapped)
      screen.list(Self.emitted.indices) { Row("Emit \($0)", action: .emitTapped($0)) }
    }
  }
}

/// A feature without delegate and input actions.
struct Mute: Feature {
  struct State: Codable, Sendable {}
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case tapped }
    case view(View)
  }
  func initialState(_ arguments: NoArguments) -> State { State() }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
  func screen(_ state: State) -> Screen<Action> { Screen("Mute") { _ in } }
}

/// A feature with a delegate case that no manifest could refer to.
struct Unlabelled: Feature {
  struct State: Codable, Sendable {}
  enum Action: FeatureAction {
    enum Delegate: Codable, Sendable { case moved(Int, by: Int) }
    case delegate(Delegate)
  }
  func initialState(_ arguments: NoArguments) -> State { State() }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
  func screen(_ state: State) -> Screen<Action> { Screen("") { _ in } }
}

/// A feature whose delegate actions are no enum.
struct Wordless: Feature {
  struct State: Codable, Sendable {}
  struct Message: Codable, Sendable { var text: String }
  enum Action: FeatureAction {
    typealias Delegate = Message
    case delegate(Message)
  }
  func initialState(_ arguments: NoArguments) -> State { State() }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
  func screen(_ state: State) -> Screen<Action> { Screen("") { _ in } }
}
