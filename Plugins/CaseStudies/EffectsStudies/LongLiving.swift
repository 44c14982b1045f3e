internal import AppCore

/// An effect that starts with its screen and ends with it: nobody has to cancel it.
struct LongLiving: Feature {
  struct State: Codable, Sendable, Equatable { var visitors = 0 }
  enum Action: FeatureAction {
    enum Internal: Sendable, Equatable { case arrived }
    case `internal`(Internal)
  }
  @Dependency(Door.self) var door

  func initialState(_ arguments: NoArguments) -> State { State() }

  func didStart(_ state: inout State) -> Effect<Action> { watch }

  func didRestore(_ state: inout State) -> Effect<Action> { watch }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.visitors += 1
    return .none
  }

  private var watch: Effect<Action> {
    .run { send in
      for await _ in door.visitors() { await send(.internal(.arrived)) }
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Long-living") { screen in
      screen.text(
        state.visitors == 0 ? "Nobody has come in yet." : "Visitors so far: \(state.visitors)")
    }
  }
}

/// A door through which a visitor comes every second.
struct Door: DependencyKey {
  var visitors: @Sendable () -> any AsyncSequence<Duration, Never> & Sendable

  static let liveValue = Door {
    @Dependency(\.clock) var clock
    return clock.timer(interval: .seconds(1))
  }
}
