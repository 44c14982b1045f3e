internal import AppCore

/// A console whose screen changes while the user types, with every control that a line can set.
struct MockConsole: Plugin {
  static let name = "MockConsole"
  static let version = "1.0.0"
  init(configuration: NoConfiguration) {}
  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Panel.self) { _ in Panel() }
    registry.feature(Member.self) { _ in Member() }
  }
}

/// Counts at a given interval, and crashes in the ways in which plugins crash.
struct Panel: Feature {
  struct Arguments: Codable, Sendable {
    /// The time between two counts, in milliseconds; 0 for never.
    var interval = 0
    init(interval: Int = 0) { self.interval = interval }
    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      interval = try values.decodeIfPresent(Int.self, forKey: .interval) ?? 0
    }
  }

  struct State: Codable, Sendable, Hashable {
    var interval = 0
    var count = 0
    var name = ""
    var size = "small"
    var isLoud = false
    var hasPassword = false
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case started
      case nameChanged(String)
      case sizeChosen(String)
      case loudToggled(Bool)
      case passwordChanged(Secret<String>)
      case trapTapped
      case recursionTapped
      case exitTapped
      case busyTapped
    }
    enum Internal: Codable, Sendable, Hashable { case ticked }
    case view(View)
    case `internal`(Internal)
  }

  func initialState(_ arguments: Arguments) -> State { State(interval: arguments.interval) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.started):
      let interval = state.interval
      guard interval > 0 else { return .none }
      return .run { send in
        while !Task.isCancelled {
          try await Task.sleep(for: .milliseconds(interval))
          await send(.internal(.ticked))
        }
      }
    case .internal(.ticked): state.count += 1
    case .view(.nameChanged(let name)): state.name = name
    case .view(.sizeChosen(let size)): state.size = size
    case .view(.loudToggled(let isLoud)): state.isLoud = isLoud
    case .view(.passwordChanged(let password)):
      state.hasPassword = password != Secret("")
    case .view(.trapTapped):
      let none: [Int] = []
      state.count = none[state.count]
    case .view(.recursionTapped): state.count = recurse(state.count)
    case .view(.exitTapped): leave()
    case .view(.busyTapped):
      return .run { _ in try await Task.sleep(for: .seconds(30)) }
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Console") { screen in
      screen.text("counted \(state.count)")
      screen.field("Name", id: "name", text: state.name) { .nameChanged($0) }
      screen.secretField("Password", id: "password", isSet: state.hasPassword) {
        .passwordChanged($0)
      }
      screen.choice(
        "Size", id: "size", options: [ChoiceOption("small"), ChoiceOption("large")],
        selected: state.size
      ) { .sizeChosen($0) }
      screen.toggle("Loud", id: "loud", isOn: state.isLoud) { .loudToggled($0) }
      screen.button("Start", id: "start", action: .started)
      screen.button("Trap", id: "trap", action: .trapTapped)
      screen.button("Recursion", id: "recursion", action: .recursionTapped)
      screen.button("Exit", id: "exit", action: .exitTapped)
      screen.button("Busy", id: "busy", action: .busyTapped)
    }
  }
}

/// Recurses until the stack overflows.
@inline(never)
func recurse(_ depth: Int) -> Int {
  var filler = (depth, depth, depth, depth, depth, depth, depth, depth)
  return withUnsafeMutableBytes(of: &filler) { recurse(depth + 1) + Int($0[0]) }
}

@c(appcore_plugin_MockConsole)
public func mockConsole() -> UnsafeMutableRawPointer { export(MockConsole.self) }
