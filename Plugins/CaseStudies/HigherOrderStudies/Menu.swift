internal import AppCore

/// The menu of the chapter's studies.
struct Menu: Feature {
  struct State: Codable, Sendable, Equatable {}
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case studyTapped(Delegate) }
    enum Delegate: Codable, Sendable, Equatable { case recursion, favorites, downloads }
    case view(View)
    case delegate(Delegate)
  }

  private static let studies: [(Action.Delegate, title: String, shows: String)] = [
    (.recursion, "Recursion", "rows that have rows of their own"),
    (.favorites, "Favorites", "a button that any row can have"),
    (.downloads, "Downloads", "a component with a state, dialogs and effects"),
  ]

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.studyTapped(let study)): .send(.delegate(study))
    case .delegate: .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Higher-order reducers") { screen in
      screen.list(Self.studies) { study, title, shows in
        Row(title, detail: shows, id: "\(study)", action: .studyTapped(study))
      }
    }
  }
}
