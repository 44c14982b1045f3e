internal import AppCore

/// The packages of the database, with a filter.
struct List: Feature {
  let library: PackageLibrary

  struct State: Codable, Sendable, Hashable {
    var loading: Loading
    var filter = ""
    /// `nil` for the order of the matches.
    var sort: TableSort?
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case filterChanged(String)
      case sortChanged(TableSort)
      case packageTapped(name: String)
      case retryTapped
    }
    enum Internal: Sendable, Hashable {
      case loadingChanged(Loading)
    }
    enum Delegate: Codable, Sendable, Hashable {
      case packageSelected(name: String)
    }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
  }

  func initialState(_ arguments: NoArguments) -> State { State(loading: library.loading) }

  func didStart(_ state: inout State) -> Effect<Action> { read() }

  /// Reads the database again: one that another build or process has read is not available here.
  func didRestore(_ state: inout State) -> Effect<Action> {
    state.loading = library.loading
    return read()
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.filterChanged(let filter)):
      state.filter = filter
      return .none
    case .view(.sortChanged(let sort)):
      state.sort = sort
      return .none
    case .view(.packageTapped(let name)):
      return .send(.delegate(.packageSelected(name: name)))
    case .view(.retryTapped):
      library.forget()
      state.loading = .reading(fraction: 0)
      return read()
    case .internal(.loadingChanged(let loading)):
      state.loading = loading
      return .none
    case .delegate:
      return .none
    }
  }

  private func read() -> Effect<Action> {
    library.read { .loadingChanged($0) }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Packages") { screen in
      switch state.loading {
      case .reading(let fraction):
        screen.progress("Reading \(library.path)", fraction: fraction)
      case .failed(let reason):
        screen.text(reason, style: .error)
        screen.button("Try again", id: "retry", action: .retryTapped)
      case .ready:
        browser(state, &screen)
      }
    }
  }

  private func browser(_ state: State, _ screen: inout ScreenBuilder<Action>) {
    guard let database = library.database else { return }
    let indices = library.matches(state.filter, sort: state.sort)
    screen.text(
      "\(database.installedCount) installed of \(database.count) known in \(library.path)",
      style: .secondary)
    screen.field(
      "Filter", id: "filter", text: state.filter, placeholder: "all packages", isLive: true
    ) { .filterChanged($0) }
    screen.table(
      indices,
      columns: PackageColumn.allCases.map { TableColumn($0.rawValue) },
      id: "packages",
      placeholder: state.filter.isEmpty
        ? "The database holds no packages." : "No package matches '\(state.filter)'.",
      sort: state.sort, sortAction: { .sortChanged($0) }
    ) { index in
      guard let package = database.package(at: index) else { return Row(cells: []) }
      let name = package.label
      let cells = PackageColumn.allCases.map { package.text($0) }
      return Row(cells: cells, id: name, action: .packageTapped(name: name))
    }
  }
}

extension Package {
  /// The name, with the architecture if several packages have the name.
  var label: String { database.packages(named: name).count > 1 ? qualifiedName : name }
}
