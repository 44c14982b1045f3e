internal import AppCore

/// A field that filters a table while one types and suggests what may be meant, and a table that is sorted by its columns.
struct Browsing: Feature {
  struct State: Codable, Sendable, Equatable {
    var filter = ""
    var sort: TableSort?
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable, Equatable {
      case filterChanged(String), sortChanged(TableSort)
    }
    case view(View)
  }
  private static let cities = [("Bergen", 285), ("Oslo", 709), ("Molde", 32), ("Stavanger", 144)]

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.filterChanged(let filter)): state.filter = filter
    case .view(.sortChanged(let sort)): state.sort = sort
    }
    return .none
  }

  /// The cities that match the filter, in the order that was asked for.
  private func rows(_ state: State) -> [(String, Int)] {
    let found = Self.cities.filter {
      state.filter.isEmpty || $0.0.lowercased().contains(state.filter.lowercased())
    }
    guard let sort = state.sort else { return found }
    let sorted = found.sorted { sort.column == "City" ? $0.0 < $1.0 : $0.1 < $1.1 }
    return sort.isDescending ? sorted.reversed() : sorted
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Browsing") { screen in
      screen.field(
        "Filter", id: "filter", text: state.filter, placeholder: "all", isLive: true,
        suggestions: Self.cities.map(\.0)
      ) { .filterChanged($0) }
      screen.table(
        rows(state),
        columns: [TableColumn("City"), TableColumn("Thousands", alignment: .trailing)],
        id: "cities", placeholder: "No city matches.",
        sort: state.sort, sortAction: { .sortChanged($0) }
      ) { Row(cells: [$0.0, "\($0.1)"]) }
    }
  }
}
