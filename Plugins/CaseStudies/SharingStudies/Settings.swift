internal import AppCore

/// Values in the app's settings file, one for each key; users may edit the file.
struct Settings: Feature {
  struct State: Codable, Sendable, Equatable {
    @Shared(.setting("size")) var size = 12
    @Shared(.setting("isLarge")) var isLarge = false
    var points: Int { isLarge ? 2 * size : size }
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable {
      case smallerTapped, largerTapped, largeChanged(Bool), resetTapped
    }
    case view(View)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.smallerTapped): state.$size.withLock { $0 = max(1, $0 - 1) }
    case .view(.largerTapped): state.$size.withLock { $0 += 1 }
    case .view(.largeChanged(let isLarge)): state.$isLarge.withLock { $0 = isLarge }
    case .view(.resetTapped):
      state.$size.withLock { $0 = 12 }
      state.$isLarge.withLock { $0 = false }
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("In the settings") { screen in
      screen.text("Texts have \(state.points) points.")
      screen.button("Smaller", id: "smaller", action: .smallerTapped)
      screen.button("Larger", id: "larger", action: .largerTapped)
      screen.toggle("Twice as large", id: "large", isOn: state.isLarge) { .largeChanged($0) }
      screen.button("Reset", id: "reset", action: .resetTapped)
    }
  }
}
