internal import AppCore

/// A row with rows of its own: the reducer's body contains the reducer, and its screen the screen.
struct Recursion: Feature {
  struct State: Codable, Sendable, Equatable, Identifiable {
    var id = 0
    var name = "Everything"
    var rows: IdentifiedArrayOf<Recursion.State> = []
  }
  indirect enum Action: FeatureAction {
    enum View: Codable, Sendable { case nameChanged(String), addTapped, deleteTapped(Int) }
    case view(View)
    case rows(IdentifiedActionOf<Recursion>)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.nameChanged(let name)): state.name = name
      case .view(.addTapped):
        let id = (state.rows.ids.max() ?? 0) + 1
        state.rows.append(State(id: id, name: "Row \(id)"))
      case .view(.deleteTapped(let id)): state.rows.remove(id: id)
      case .rows: break
      }
      return .none
    }
    .forEach(\.rows, action: /Action.rows) { Self() }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Recursion") { screen in
      screen.field("Name", id: "name", text: state.name) { .nameChanged($0) }
      screen.button("Add a row", id: "add", action: .addTapped)
      for row in state.rows {
        screen.button("Delete \(row.name)", id: "delete.\(row.id)", action: .deleteTapped(row.id))
      }
      screen.embed(state.rows, /Action.rows) { row in
        self.screen(row).titled(row.name, id: "\(row.id)")
      }
    }
  }
}
