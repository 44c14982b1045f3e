internal import AppCore

/// The menu of the chapter's studies.
struct Menu: Feature {
  struct State: Codable, Sendable, Equatable {}
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case studyTapped(Delegate) }
    enum Delegate: Codable, Sendable, Equatable {
      case facts, cancellation, timers, longLiving, refreshing, socket
    }
    case view(View)
    case delegate(Delegate)
  }

  private static let studies: [(Action.Delegate, title: String, shows: String)] = [
    (.facts, "Facts", "work that takes a while, and its result"),
    (.cancellation, "Cancellation", "an effect that is cancelled, or replaced"),
    (.timers, "Timers", "an effect that ticks until it is stopped"),
    (.longLiving, "Long-living", "an effect that lives as long as its screen"),
    (.refreshing, "Refreshing", "the old result, until there is a new one"),
    (.socket, "Socket", "a connection that sends and receives"),
  ]

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.studyTapped(let study)): .send(.delegate(study))
    case .delegate: .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Effects") { screen in
      screen.list(Self.studies) { study, title, shows in
        Row(title, detail: shows, id: "\(study)", action: .studyTapped(study))
      }
    }
  }
}
