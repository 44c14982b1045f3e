internal import AppCore

/// Fields for dates, and what follows from them.
struct Dates: Feature {
  struct State: Codable, Sendable, Equatable {
    var arrival: CalendarDate?
    var departure: CalendarDate?

    var nights: Int? { arrival.flatMap { first in departure.map { first.days(to: $0) } } }
  }
  enum Action: FeatureAction {
    enum View: BindableAction { case binding(BindingAction<State>) }
    case view(View)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .view(.binding(\.arrival)) where state.departure == nil:
        state.departure = state.arrival?.advanced(by: 1)
      case .view(.binding): break
      }
      return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Dates") { screen in
      let isPossible = state.nights ?? 1 > 0
      screen.form(state) { form in
        form.field("Arrival", \.arrival)
        form.field(
          "Departure", \.departure, problem: isPossible ? nil : "is not after the arrival")
      }
      if let nights = state.nights, isPossible {
        screen.text(nights == 1 ? "1 night" : "\(nights) nights")
      }
    }
  }
}
