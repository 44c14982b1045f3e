internal import AppCore

/// Presents one of several children: `Destinations` lists them, and runs the one that is shown.
struct MultipleDestinations: Feature {
  struct Destination: Destinations {
    let up = Case(Counter(), screen: Counter.screen)
    let down = Case(Counter(), screen: Counter.screen)
    let alert = Case(AlertState<Never>.self)
  }
  struct State: Codable, Sendable, Equatable {
    @Presented var destination: Destination.State?
    var total = 0
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case upTapped, downTapped, alertTapped }
    case view(View)
    case destination(PresentationAction<Destination.Action>)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.upTapped): state.destination = Destination.State.up(Counter.State(count: 1))
      case .view(.downTapped): state.destination = Destination.State.down(Counter.State(count: -1))
      case .view(.alertTapped):
        state.destination = Destination.State.alert(AlertState { "The total is \(state.total)." })
      case .destination(.presented(let action)):
        if case .view(.incrementTapped) = action.up { state.total += 1 }
        if case .view(.decrementTapped) = action.down { state.total -= 1 }
      case .destination(.dismiss): break
      }
      return .none
    }
    .ifLet(\.$destination, action: /Action.destination) { Destination() }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Destinations") { screen in
      if screen.embed(state.destination, /Action.destination) {
        if state.destination?.alert == nil {
          screen.dismissButton("Close", id: "close", /Action.destination)
        }
        return
      }
      screen.button("Count up", id: "up", action: .upTapped)
      screen.button("Count down", id: "down", action: .downTapped)
      screen.button("Alert", id: "alert", action: .alertTapped)
    }
  }
}
