import AppCore

/// What the reducers of two builds of one plugin differ in.
protocol WalkRule: SendableMetatype {
  /// What a double step adds.
  static var double: Int { get }
}

enum FirstRule: WalkRule { static let double = 2 }
/// One line was changed.
enum SecondRule: WalkRule { static let double = 3 }

/// A plugin with all that a recording has to hold: effects, dates, ids, random numbers, secrets.
struct WalkPlugin<Rule: WalkRule>: Plugin {
  static var name: String { "Walk" }
  static var version: String { "1.0.0" }

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Walk<Rule>.self, name: "Walk") { _ in Walk() }
  }
}

struct Walk<Rule: WalkRule>: Feature {
  struct State: Codable, Sendable, Hashable {
    var count = 0
    var stamps: [String] = []
    var password = Secret("")
    var length = 0
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case stepTapped, doubleTapped, stampTapped, laterTapped, openTapped, checkTapped
      case passwordChanged(Secret<String>)
    }
    /// Not `Codable`: it is coded by its cases.
    enum Internal: Sendable, Hashable { case later(by: Int, why: String) }
    enum Delegate: Codable, Sendable, Hashable { case opened }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
  }

  @Dependency(\.date) var date
  @Dependency(\.uuid) var uuid
  @Dependency(\.withRandomNumberGenerator) var random

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.stepTapped): state.count += 1
    case .view(.doubleTapped): state.count += Rule.double
    case .view(.stampTapped):
      let number = random { Int.random(in: 0..<1_000_000, using: &$0) }
      state.stamps.append("\(date.now) \(uuid()) \(number)")
    case .view(.laterTapped): return .send(.internal(.later(by: 10, why: "it was asked for")))
    case .view(.openTapped): return .send(.delegate(.opened))
    case .view(.passwordChanged(let password)): state.password = password
    case .view(.checkTapped): state.length = state.password.revealed.count
    case .internal(.later(let count, _)): state.count += count
    case .delegate: break
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Walk") { screen in
      screen.text("At \(state.count).")
      screen.button("Step", id: "step", action: .stepTapped)
      screen.button("Double", id: "double", action: .doubleTapped)
      screen.button("Stamp", id: "stamp", action: .stampTapped)
      screen.button("Later", id: "later", action: .laterTapped)
      screen.button("Open", id: "open", action: .openTapped)
      screen.button("Check", id: "check", action: .checkTapped)
      screen.secretField("Password", id: "password", isSet: !state.password.revealed.isEmpty) {
        .passwordChanged($0)
      }
    }
  }
}
