import AppCore

// Paths inside a feature.
extension Bench {
  func stacks() -> [Row] {
    [10, 1_000, 100_000].flatMap { depth in
      timed("action to the top of a stack of \(depth)", than: .atRoot) {
        let store = path(depth: depth)
        guard let top = store.state.path.ids.last else { return .nan }
        return sending(.path(.element(id: top, action: .add)), to: store)
      }
        + timed("push and pop on a stack of \(depth)", than: .atRoot) {
          let store = path(depth: depth)
          return measurement.nanoseconds(count: 200_000) { count in
            for _ in 0..<count {
              let id = store.state.path.nextID
              store.send(.path(.push(id: id, state: 0)))
              store.send(.path(.popFrom(id: id)))
            }
          }
        }
    }
  }

  private func path(depth: Int) -> Store<Path.State, Path.Action> {
    var state = Path.State()
    for _ in 0..<depth { state.path.append(0) }
    return Store(initialState: state, reducer: Path(), isolation: self)
  }
}

/// A stack of counters.
private struct Path: Reducer {
  struct State {
    var path = StackState<Int>()
  }

  enum Action: ComponentAction {
    case path(StackAction<Int, RootCounter.Action>)
  }

  var body: some Reducer<State, Action> {
    EmptyReducer().forEach(\.path, action: /Action.path) { RootCounter() }
  }
}

// Children that present children of their own kind, inside one feature.
extension Bench {
  func presentations() -> [Row] {
    [15, 100, 1_000].flatMap { depth in
      timed("action to the last of \(depth) nested presentations", than: .atRoot) {
        var state = Nest.State()
        var action = Nest.Action.add
        for _ in 0..<depth {
          state = Nest.State(child: state)
          action = .child(.presented(action))
        }
        let store = Store(initialState: state, reducer: Nest(), isolation: self)
        return sending(action, to: store, count: 1_000_000 / depth)
      }
    }
  }
}

/// A counter that presents another one.
private struct Nest: Reducer {
  struct State {
    var count = 0
    @Presented var child: State?
    init(child: State? = nil) { self.child = child }
  }

  indirect enum Action: ComponentAction {
    case add
    case child(PresentationAction<Action>)
  }

  var body: some Reducer<State, Action> {
    Recurse { itself in
      Reduce<State, Action> { state, action in
        if case .add = action { state.count += 1 }
        return .none
      }
      .ifLet(\.$child, action: /Action.child) { itself }
    }
  }
}
