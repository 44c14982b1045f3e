internal import AppCore

/// A list of which several rows are selected, and a button that does something with all of them.
struct Selecting: Feature {
  struct State: Codable, Sendable, Equatable {
    var cities = ["Bergen", "Molde", "Oslo", "Stavanger"]
    var selection: Set<String> = []
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case selectionChanged(Set<String>), removeTapped }
    case view(View)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.selectionChanged(let selection)): state.selection = selection
    case .view(.removeTapped):
      state.cities.removeAll(where: state.selection.contains)
      state.selection = []
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Selecting") { screen in
      screen.list(
        state.cities, id: "cities", placeholder: "No city is left.",
        selection: state.selection, selectionAction: { .selectionChanged($0) }
      ) { Row($0, id: $0) }
      screen.button(
        "Remove", id: "remove", isEnabled: !state.selection.isEmpty, action: .removeTapped)
    }
  }
}
