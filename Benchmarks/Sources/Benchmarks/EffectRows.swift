import AppCore

// The cost of an effect, together with the action that returns it.
extension Bench {
  func effects() -> [Row] {
    timed("an action and the one its effect sends", than: .atRoot) {
      sending(.ping, to: Store(initialState: 0, reducer: Pinger(), isolation: self))
    }
      + timed("an action and its effect that runs and ends", than: .atRoot) {
        let store = Store(initialState: 0, reducer: Pinger(), isolation: self)
        return sending(.run, to: store, count: 100_000)
      }
  }
}

/// A counter with effects.
private struct Pinger: Reducer {
  enum Action: ComponentAction {
    case ping
    case pong
    case run
  }

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .ping: return .send(.pong)
    case .pong:
      state += 1
      return .none
    case .run: return .run { _ in }
    }
  }
}
