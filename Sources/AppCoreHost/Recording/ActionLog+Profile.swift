@_spi(Host) internal import AppCore
internal import Navigation

// What the profiler records.
extension ActionLog {
  /// An action is over.
  func profile(_ action: MeasuredAction, _ duration: Int) {
    profiler?.ran(
      times.kinds.names[action.kind], at: place(action.node, action.instance),
      from: action.start, for: duration)
  }

  /// Records the effects of a store as they begin and end.
  func profileEffects(of store: Store<AppState, AppAction>) {
    guard let profiler else { return }
    store.onEffects(of: InstanceScope.self) { [unowned self] id, scope in
      // It is the latest action whose effects are being started.
      let name = latest.map { times.kinds.names[$0.kind] }
      profiler.effectBegan(id, name, at: place(scope.map { Int($0.node) }, scope?.id))
    } ended: {
      profiler.effectEnded($0)
    }
  }

  /// Makes a screen, and tells the profiler how long that took.
  func profileScreen<Result>(
    of feature: String, node: Int, instance: InstanceID, _ make: () -> Result
  ) -> Result {
    guard let profiler else { return make() }
    let start = now()
    let screen = make()
    profiler.ran(
      feature + ".screen()", at: place(node, instance), from: start, for: now() - start)
    return screen
  }

  private func place(_ node: Int?, _ instance: InstanceID?) -> Profiler.Place? {
    guard let node, let instance else { return nil }
    return Profiler.Place(node: graph().nodes[node].name, instance: instance)
  }
}
