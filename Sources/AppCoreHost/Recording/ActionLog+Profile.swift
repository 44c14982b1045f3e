@_spi(Host) internal import AppCore
internal import Navigation

// Measurements for the profiler.
extension ActionLog {
  /// Records an action that has been reduced and whose effects have been started.
  func profile(_ action: MeasuredAction, _ duration: Int) {
    profiler?.ran(
      times.kinds.names[action.kind], at: place(action.node, action.instance),
      from: action.start, for: duration)
  }

  /// Makes the profiler record when effects of a store begin and end.
  func profileEffects(of store: Store<AppState, AppAction>) {
    guard let profiler else { return }
    store.onEffects(of: InstanceScope.self) { [unowned self] id, scope in
      // Effects that begin are those of the latest action.
      let name = latest.map { times.kinds.names[$0.kind] }
      profiler.effectBegan(id, name, at: place(scope.map { Int($0.node) }, scope?.id))
    } ended: {
      profiler.effectEnded($0)
    }
  }

  /// Makes a screen, and records how long that took.
  func measureScreen<Result>(
    of feature: String, node: Int, instance: InstanceID, _ make: () -> Result
  ) -> Result {
    let start = now()
    let screen = make()
    let duration = now() - start
    let name = feature + ".screen()"
    times.add(duration, to: times.kinds.number(named: name))
    profiler?.ran(name, at: place(node, instance), from: start, for: duration)
    return screen
  }

  private func place(_ node: Int?, _ instance: InstanceID?) -> Profiler.Place? {
    guard let node, let instance else { return nil }
    return Profiler.Place(node: graph().nodes[node].name, instance: instance)
  }
}
