internal import AppCore

/// An optional child: `ifLet` runs it while its state is not `nil`.
struct OptionalCounter: Feature {
  struct State: Codable, Sendable, Equatable { var counter: Counter.State? }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case toggleTapped }
    case view(View)
    case counter(Counter.Action)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .view(.toggleTapped) = action {
        state.counter = state.counter == nil ? Counter.State() : nil
      }
      return .none
    }
    .ifLet(\.counter, action: /Action.counter) { Counter() }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Optional counter") { screen in
      screen.button("Toggle", id: "toggle", action: .toggleTapped)
      if let counter = state.counter {
        screen.embed(Counter().screen(counter), /Action.counter)
      } else {
        screen.text("There is no counter.")
      }
    }
  }
}
