internal import AppCore

/// Shows one package, its dependencies, and the packages that depend on it.
struct Detail: Feature {
  let library: PackageLibrary

  struct Arguments: Codable, Sendable {
    /// The package's name, with `:architecture` if the name alone is ambiguous.
    var name: String
  }

  struct State: Codable, Sendable, Hashable {
    let name: String
    var loading: Loading
    /// Whether the homepage's address is shown, ready to copy.
    var showsAddress = false
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case dependencyTapped(name: String)
      case homepageTapped(url: String)
    }
    enum Internal: Sendable, Hashable {
      case loadingChanged(Loading)
    }
    enum Delegate: Codable, Sendable, Hashable {
      case dependencySelected(name: String)
      /// Asks the app whether to open the homepage; the answer arrives as an input.
      case openRequested(url: String)
    }
    enum Input: Codable, Sendable, Hashable {
      case openConfirmed
      case openDeclined
    }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
    case input(Input)
  }

  func initialState(_ arguments: Arguments) -> State {
    State(name: arguments.name, loading: library.loading)
  }

  func didStart(_ state: inout State) -> Effect<Action> { read() }

  /// Reads the database again: one that another build or process has read is not available here.
  func didRestore(_ state: inout State) -> Effect<Action> {
    state.loading = library.loading
    return read()
  }

  private func read() -> Effect<Action> {
    library.read { .loadingChanged($0) }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.dependencyTapped(let name)):
      return .send(.delegate(.dependencySelected(name: name)))
    case .view(.homepageTapped(let url)):
      return .send(.delegate(.openRequested(url: url)))
    case .internal(.loadingChanged(let loading)):
      state.loading = loading
      return .none
    case .input(.openConfirmed):
      state.showsAddress = true
      return .none
    case .input(.openDeclined):
      state.showsAddress = false
      return .none
    case .delegate:
      return .none
    }
  }
}
