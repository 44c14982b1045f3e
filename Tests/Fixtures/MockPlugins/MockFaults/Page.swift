internal import AppCore

/// A feature that faults in its reducer or in an effect, as `fault(in:)` is configured.
struct Page: Feature {
  struct State: Codable, Sendable, Hashable {
    init() {}

    init(from decoder: any Decoder) throws { if isScanned { fault(in: "state") } }
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable { case leaveTapped, faultTapped, effectTapped }
    enum Delegate: Codable, Sendable, Hashable { case left }
    case view(View)
    case delegate(Delegate)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .view(.leaveTapped) = action { return .send(.delegate(.left)) }
    if case .view(.faultTapped) = action { fault(in: "reduce") }
    if case .view(.effectTapped) = action { return .run { _ in await inEffect() } }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Page") { screen in
      screen.text("Nothing is wrong here.")
      screen.button("Fault", id: "fault", action: .faultTapped)
      screen.button("Fault in an effect", id: "effect", action: .effectTapped)
      screen.button("Leave", id: "leave", action: .leaveTapped)
    }
  }
}

/// Leaves the store's thread.
@concurrent
private func inEffect() async {
  fault(in: "effect")
  try? await Task.sleep(for: .milliseconds(10))
}
