@_spi(Host) internal import AppCore
internal import Navigation

/// The root reducer, with a note of each action.
struct RecordingRouter: Reducer {
  private let router: Router
  private let log: ActionLog

  init(_ router: Router, log: ActionLog) {
    self.router = router
    self.log = log
  }

  func reduce(into state: inout AppState, action: AppAction) -> Effect<AppAction> {
    let first = state.journal.count
    var node: Int?
    if case .instance(let id, _) = action { node = state.node(of: id) }
    let start = log.now()
    let effect = router.reduce(into: &state, action: action)
    if case .report(.effectEnded) = action { return effect }
    log.note(
      action, node: node, start: start, hasEffects: !effect.isNone,
      events: first..<state.journal.count)
    return effect
  }
}
