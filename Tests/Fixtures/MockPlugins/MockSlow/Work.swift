internal import AppCore
internal import Glibc

/// Works for a while on request; without an injected clock, the app is not settled meanwhile.
struct Work: Feature {
  struct Arguments: Codable, Sendable {
    /// The duration of the work.
    var milliseconds: Int
    /// The path of a file that is created if the work is cancelled; empty for none.
    var marker: String
  }

  struct State: Codable, Sendable, Hashable {
    let milliseconds: Int
    let marker: String
    var done = 0
    var isWorking = false
    var password = Secret("")
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case startTapped
      case passwordChanged(Secret<String>)
      case leaveTapped
    }
    enum Internal: Sendable, Hashable {
      case finished
    }
    enum Delegate: Codable, Sendable, Hashable {
      case left
    }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
  }

  func initialState(_ arguments: Arguments) -> State {
    State(milliseconds: arguments.milliseconds, marker: arguments.marker)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.startTapped):
      state.isWorking = true
      return work(milliseconds: state.milliseconds, marker: state.marker)
    case .view(.passwordChanged(let password)):
      state.password = password
      return .none
    case .view(.leaveTapped): return .send(.delegate(.left))
    case .internal(.finished):
      state.isWorking = false
      state.done += 1
      return .none
    case .delegate: return .none
    }
  }

  private func work(milliseconds: Int, marker: String) -> Effect<Action> {
    .run { send in
      do {
        try await Task.sleep(for: .milliseconds(milliseconds))
      } catch {
        if !marker.isEmpty, let file = fopen(marker, "w") { fclose(file) }
        throw error
      }
      await send(.internal(.finished))
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Work") { screen in
      screen.text("Done \(state.done) times")
      if state.isWorking { screen.progress("Working") }
      screen.sparkline("Load", values: [1, 4, 2, 8, 5, 7], in: 0...8, unit: "%")
      screen.bars([Bar("done", Double(state.done)), Bar("planned", 4)], maximum: 4)
      screen.button("Start", id: "start", action: .startTapped)
      screen.secretField(
        "Password", id: "password", isSet: !state.password.revealed.isEmpty
      ) { .passwordChanged($0) }
      screen.button("Leave", id: "leave", action: .leaveTapped)
    }
  }
}
