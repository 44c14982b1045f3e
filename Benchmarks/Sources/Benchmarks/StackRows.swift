import AppCore

// Stacks inside a feature.
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
            for _ in 0..<count { pushAndPop(store) }
          }
        }
    }
      + timed("push 1,000 and pop them at once, on a stack of 100000", than: .atRoot) {
        let store = path(depth: 100_000)
        return measurement.nanoseconds(count: 200) { count in
          for _ in 0..<count {
            let first = store.state.path.nextID
            for _ in 0..<1_000 {
              store.send(.path(.push(id: store.state.path.nextID, state: 0)))
            }
            store.send(.path(.popFrom(id: first)))
          }
        }
      }
  }

  func pushAndPop(_ store: Store<Path.State, Path.Action>) {
    let id = store.state.path.nextID
    store.send(.path(.push(id: id, state: 0)))
    store.send(.path(.popFrom(id: id)))
  }

  func path(depth: Int) -> Store<Path.State, Path.Action> {
    var state = Path.State()
    for _ in 0..<depth { state.path.append(0) }
    return Store(initialState: state, reducer: Path(), isolation: self)
  }
}

/// A stack of counters.
struct Path: Reducer {
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
        let (store, action) = nest(depth: depth)
        return sending(action, to: store, count: 1_000_000 / depth)
      }
    }
  }

  /// A store with `depth` nested children, and an action for the innermost one.
  func nest(depth: Int) -> (store: Store<Nest.State, Nest.Action>, action: Nest.Action) {
    var state = Nest.State()
    var action = Nest.Action.add
    for _ in 0..<depth {
      state = Nest.State(child: state)
      action = .child(.presented(action))
    }
    return (Store(initialState: state, reducer: Nest(), isolation: self), action)
  }
}

/// A counter that presents another one.
struct Nest: Reducer {
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
    Reduce { state, action in
      if case .add = action { state.count += 1 }
      return .none
    }
    .ifLet(\.$child, action: /Action.child) { Self() }
  }
}
