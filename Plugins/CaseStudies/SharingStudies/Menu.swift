internal import AppCore

/// The menu of the chapter's studies.
struct Menu: Feature {
  struct State: Codable, Sendable, Equatable {}
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case studyTapped(Delegate) }
    enum Delegate: Codable, Sendable, Equatable {
      case inMemory, fileStorage, settings, readers, signUp
    }
    case view(View)
    case delegate(Delegate)
  }

  private static let studies: [(Action.Delegate, title: String, shows: String)] = [
    (.inMemory, "In memory", "two tabs with one value"),
    (.fileStorage, "In a file", "a value that outlives the app"),
    (.settings, "In the settings", "values that people may edit"),
    (.readers, "Readers", "a value that comes from a sensor"),
    (.signUp, "Sign up", "several steps that fill in one form"),
  ]

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.studyTapped(let study)): .send(.delegate(study))
    case .delegate: .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Sharing") { screen in
      screen.list(Self.studies) { study, title, shows in
        Row(title, detail: shows, id: "\(study)", action: .studyTapped(study))
      }
    }
  }
}
