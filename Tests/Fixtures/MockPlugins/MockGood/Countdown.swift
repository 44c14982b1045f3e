internal import AppCore

/// Counts down to zero, one a second.
struct Countdown: Feature {
  @Dependency(\.clock) var clock

  struct Arguments: Codable, Sendable {
    var seconds: Int
  }

  struct State: Codable, Sendable, Hashable {
    let seconds: Int
    var left: Int
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case stopTapped
    }
    enum Internal: Sendable, Hashable {
      case ticked
    }
    enum Delegate: Codable, Sendable, Hashable {
      case finished(seconds: Int)
    }
    enum Input: Codable, Sendable, Hashable {
      case restarted
    }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
    case input(Input)
  }

  private enum EffectName { case ticking }

  func initialState(_ arguments: Arguments) -> State {
    State(seconds: arguments.seconds, left: arguments.seconds)
  }

  func didStart(_ state: inout State) -> Effect<Action> { ticking() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.stopTapped):
      return .cancel(id: EffectName.ticking)
    case .internal(.ticked):
      state.left -= 1
      guard state.left == 0 else { return .none }
      return .merge(
        .cancel(id: EffectName.ticking), .send(.delegate(.finished(seconds: state.seconds))))
    case .input(.restarted):
      state.left = state.seconds
      return ticking()
    case .delegate:
      return .none
    }
  }

  private func ticking() -> Effect<Action> {
    let clock = clock
    return .run { send in
      while true {
        try await clock.sleep(for: .seconds(1))
        await send(.internal(.ticked))
      }
    }
    .cancellable(id: EffectName.ticking, cancelInFlight: true)
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Countdown") { screen in
      screen.text("\(state.left) s left")
      screen.button("Stop", id: "stop", action: .stopTapped)
    }
  }
}
