internal import AppCore

/// A timer: an effect that ticks until it is cancelled, or until its screen ends.
struct Timers: Feature {
  struct State: Codable, Sendable, Equatable {
    var isRunning = false
    var seconds = 0
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case toggleTapped }
    enum Internal: Sendable, Equatable { case ticked }
    case view(View)
    case `internal`(Internal)
  }
  private enum CancelID { case timer }

  func initialState(_ arguments: NoArguments) -> State { State() }

  // After a crash the state is restored; effects are restarted here.
  func didRestore(_ state: inout State) -> Effect<Action> { state.isRunning ? ticks : .none }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.toggleTapped):
      state.isRunning.toggle()
      return state.isRunning ? ticks : .cancel(id: CancelID.timer)
    case .internal(.ticked):
      state.seconds += 1
      return .none
    }
  }

  private var ticks: Effect<Action> {
    .timer(every: .seconds(1), .internal(.ticked)).cancellable(id: CancelID.timer)
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Timers") { screen in
      screen.progress(
        state.seconds == 0 ? "Not begun" : "Second \(state.seconds)",
        fraction: Double(state.seconds % 60) / 60)
      screen.button(state.isRunning ? "Stop" : "Start", id: "toggle", action: .toggleTapped)
    }
  }
}
