internal import AppCore

/// Columns: a list, and beside it what is known of the row that was chosen.
struct Columns: Feature {
  struct State: Codable, Sendable, Equatable {
    var city: String?
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case cityTapped(String) }
    case view(View)
  }
  private static let cities = ["Bergen": 285, "Molde": 32, "Oslo": 709, "Stavanger": 144]

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.cityTapped(let city)): state.city = city
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Columns") { screen in
      screen.columns { columns in
        columns.column { screen in
          screen.list(Self.cities.keys.sorted(), id: "cities") {
            Row($0, id: $0, action: .cityTapped($0))
          }
        }
        columns.column { screen in
          guard let city = state.city, let thousands = Self.cities[city] else {
            return screen.text("Choose a city.", style: .secondary)
          }
          screen.heading(city)
          screen.keyValues([KeyValue("Inhabitants", "\(thousands),000")])
        }
      }
    }
  }
}
