internal import AppCore

/// The menu of the chapter's studies.
///
/// Each study has a delegate action, and a route of the manifest says what it opens.
struct Menu: Feature {
  struct State: Codable, Sendable, Equatable {}
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case studyTapped(Delegate) }
    enum Delegate: Codable, Sendable, Equatable {
      case counter, twoCounters, optionalCounter, dialogs, controls, browsing, selecting, columns
      case form, signIn, dates, elements
    }
    case view(View)
    case delegate(Delegate)
  }

  private static let studies: [(Action.Delegate, title: String, shows: String)] = [
    (.counter, "Counter", "a state, two actions, a reducer and a screen"),
    (.twoCounters, "Two counters", "a feature made of two others"),
    (.optionalCounter, "Optional counter", "a child that comes and goes"),
    (.dialogs, "Dialogs", "an alert and a confirmation dialog, as state"),
    (.controls, "Controls", "every control, each with an action of its own"),
    (.browsing, "Browsing", "a filter while one types, and columns that sort"),
    (.selecting, "Selecting", "rows that are selected, and a button for all of them"),
    (.columns, "Columns", "a list, and what belongs to its row beside it"),
    (.form, "Form", "one action for all fields of a form"),
    (.signIn, "Sign in", "problems below the fields that lack something"),
    (.dates, "Dates", "fields for dates, and what follows from them"),
    (.elements, "Elements", "everything that a screen can show"),
  ]

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.studyTapped(let study)): .send(.delegate(study))
    case .delegate: .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Basics") { screen in
      screen.list(Self.studies) { study, title, shows in
        Row(title, detail: shows, id: "\(study)", action: .studyTapped(study))
      }
    }
  }
}
