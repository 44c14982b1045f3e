@_spi(Host) internal import AppCore
internal import Navigation

/// The root reducer of an app: a router whose actions are logged and recorded as steps.
struct RecordingRouter: Reducer {
  private let router: Router
  private let log: ActionLog
  private let recorder: StepRecorder?
  private unowned let app: App

  init(_ router: Router, log: ActionLog, recorder: StepRecorder?, app: App) {
    self.router = router
    self.log = log
    self.recorder = recorder
    self.app = app
  }

  func reduce(into state: inout AppState, action: AppAction) -> Effect<AppAction> {
    let first = state.journal.count
    var node: Int?
    if case .instance(let id, _) = action { node = state.node(of: id) }
    let start = log.now()
    guard let recorder else {
      let effect = router.reduce(into: &state, action: action)
      append(action, node: node, start: start, effect, events: first..<state.journal.count)
      return effect
    }
    let effect = recorder.tape.during { router.reduce(into: &state, action: action) }
    let duration = log.now() - start
    append(action, node: node, start: start, effect, events: first..<state.journal.count)
    if case .report(.effectEnded) = action { return effect }
    recorder.capture(action, node: node, state, start: start, duration: duration, in: app)
    return effect
  }

  private func append(
    _ action: AppAction, node: Int?, start: Int, _ effect: Effect<AppAction>, events: Range<Int>
  ) {
    if case .report(.effectEnded) = action { return }
    log.append(action, node: node, start: start, hasEffects: !effect.isNone, events: events)
  }
}
