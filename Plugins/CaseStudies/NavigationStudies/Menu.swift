internal import AppCore

/// The menu of the chapter's studies.
struct Menu: Feature {
  struct State: Codable, Sendable, Equatable {}
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case studyTapped(Delegate) }
    enum Delegate: Codable, Sendable, Equatable {
      case stack, loadThenPresent, presentAndLoad, navigateAndLoad, multipleDestinations, routes
    }
    case view(View)
    case delegate(Delegate)
  }

  private static let studies: [(Action.Delegate, title: String, shows: String)] = [
    (.stack, "Stack", "screens on top of each other, in one feature"),
    (.loadThenPresent, "Load, then present", "a child that is shown when it has been loaded"),
    (.presentAndLoad, "Present and load", "a child that is loaded while it is shown"),
    (.navigateAndLoad, "Navigate and load", "the same for a row of a list, and back"),
    (.multipleDestinations, "Multiple destinations", "one of several children at a time"),
    (.routes, "Routes", "screens that the manifest connects"),
  ]

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.studyTapped(let study)): .send(.delegate(study))
    case .delegate: .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Navigation") { screen in
      screen.list(Self.studies) { study, title, shows in
        Row(title, detail: shows, id: "\(study)", action: .studyTapped(study))
      }
    }
  }
}
