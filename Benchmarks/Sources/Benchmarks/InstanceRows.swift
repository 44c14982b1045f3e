import AllocationCounter
@_spi(Host) import AppCore
@_spi(Host) import Navigation

// How the cost of an action grows with the number of instances, and how much it allocates.
extension Bench {
  func instances() throws -> [Row] {
    try [1, 100, 10_000].flatMap { count in
      try timed("action to a feature in a .so, \(count) instances", than: .byHand) {
        let (store, action) = try counter(beside: count - 1)
        return sending(action, to: store)
      }
    }
  }

  /// The number of allocations for each action, on the store's thread.
  func allocations() throws -> [(name: String, count: Double)] {
    let root = Store(initialState: 0, reducer: RootCounter(), isolation: self)
    let scoped = root.scope(state: \.self, action: Self.same)
    let nested = Store(
      initialState: Level20.State(), reducer: Level20(), isolation: self)
    let nest = nest(depth: 100)
    let path = path(depth: 1_000)
    let (app, action) = try counter(beside: 0)
    return [
      ("counter at the root of a store", allocations { root.send(.add) }),
      ("counter through a scoped store", allocations { scoped.send(.add) }),
      ("a leaf under 20 scopes", allocations { nested.send(Self.twenty) }),
      ("the last of 100 nested presentations", allocations { nest.store.send(nest.action) }),
      ("push and pop on a stack of 1000", allocations { self.pushAndPop(path) }),
      ("action to a feature in a .so", allocations { app.send(action) }),
    ].filter { measurement.includes($0.0) }
  }

  private static var same: CasePath<RootCounter.Action, RootCounter.Action> {
    CasePath(embed: { $0 }, extract: { $0 })
  }

  private func allocations(_ body: () -> Void) -> Double {
    let count = 1_000
    for _ in 0..<100 { body() }
    let start = appcore_allocation_count()
    for _ in 0..<count { body() }
    return Double(appcore_allocation_count() - start) / Double(count)
  }

  /// An app's store, and the action that its counter's button sends.
  private func counter(beside others: Int) throws -> (Store<AppState, AppAction>, AppAction) {
    let (store, feature) = try app(depth: 1, beside: others)
    guard let id = store.state.current, let state = store.state.instances[id]?.state,
      let action = feature.screen(state).action(control: 0, input: .press),
      store.state.instances.count == others + 1
    else { throw BenchError.notDeep }
    return (store, .instance(id, action))
  }
}
