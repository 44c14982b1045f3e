import AppCore

extension Bench {
  /// Measures an action whose logic is shared with others.
  func sharedLogic(_ action: SharingCounter.Action) -> Double {
    let store = Store(initialState: 0, reducer: SharingCounter(), isolation: self)
    return measurement.nanoseconds(count: 1_000_000) { count in
      for _ in 0..<count { store.send(action) }
    }
  }

  func scopedCounter() -> Double {
    let same = CasePath<RootCounter.Action, RootCounter.Action>(embed: { $0 }, extract: { $0 })
    var store = Store(initialState: 0, reducer: RootCounter(), isolation: self)
    for _ in 0..<3 { store = store.scope(state: \.self, action: same) }
    return measurement.nanoseconds(count: 1_000_000) { count in
      for _ in 0..<count { store.send(.add) }
    }
  }

  func observedCounter(by count: Int) -> Double {
    let store = Store(initialState: 0, reducer: RootCounter(), isolation: self)
    let heard = Heard()
    let observations = (0..<count).map { _ in
      store.observe({ $0 / 1000 }, onChange: { heard.last = $0 })
    }
    let figure = sending(.add, to: store, count: 10_000_000 / max(100, count))
    return withExtendedLifetime(observations) { heard.last > 0 ? figure : .nan }
  }

  private final class Heard {
    var last = 0
  }
}

/// A counter with two equivalent actions: one calls a method, the other sends another action.
struct SharingCounter: Reducer {
  enum Action: ComponentAction {
    case byMethod
    case bySend
    case shared
  }

  private func share(_ count: inout Int) -> Effect<Action> {
    count += 1
    return .none
  }

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .byMethod, .shared: share(&state)
    case .bySend: .send(.shared)
    }
  }
}
