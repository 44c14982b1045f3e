import AppCore

/// Looks something up: a feature with every kind of action.
struct Search: Feature {
  @Dependency(\.clock) var clock
  @Dependency(\.library) var library

  struct Arguments: Codable, Sendable, Defaulted {
    var text = ""
  }

  struct State: Codable, Sendable, Equatable {
    var text = ""
    var isLoading = false
    var found: [String] = []
    var ticks = 0
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable {
      case textChanged(String)
      case searchTapped
      case stopTapped
      case closeTapped
      case watchTapped
      case chainTapped(Int)
      case threeTapped
    }
    enum Internal: Sendable {
      case loaded([String])
      case failed(any Error)
      case watched(Handle)
      case ticked
      case chained(Int)
    }
    enum Delegate: Codable, Sendable {
      case closed
      case picked(name: String)
    }
    enum Input: Codable, Sendable {
      case renamed(to: String)
    }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
    case input(Input)
  }

  /// Something that can't be compared.
  struct Handle: Sendable {
    let close: @Sendable () -> Void
  }

  private enum Task: Hashable { case search, ticks }

  func initialState(_ arguments: Arguments) throws -> State {
    guard arguments.text.count < 10 else { throw SearchError.tooLong }
    return State(text: arguments.text)
  }

  func didStart(_ state: inout State) -> Effect<Action> {
    guard !state.text.isEmpty else { return .none }
    return search(&state)
  }

  /// What the button and the beginning have in common.
  private func search(_ state: inout State) -> Effect<Action> {
    state.isLoading = true
    let (text, library, clock) = (state.text, library, clock)
    return .run { send in
      try await clock.sleep(for: .seconds(1))
      await send(.internal(.loaded(try library.find(text))))
    } catch: { error, send in
      await send(.internal(.failed(error)))
    }
    .cancellable(id: Task.search, cancelInFlight: true)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.textChanged(let text)): state.text = text
    case .view(.searchTapped): return search(&state)
    case .view(.stopTapped):
      state.isLoading = false
      return .merge(.cancel(id: Task.search), .cancel(id: Task.ticks))
    case .view(.closeTapped): return .send(.delegate(.closed))
    case .view(.watchTapped):
      return .merge(
        .send(.internal(.watched(Handle {}))),
        .timer(every: .seconds(1), .internal(.ticked)).cancellable(id: Task.ticks))
    case .view(.chainTapped(let count)): return .send(.internal(.chained(count)))
    case .view(.threeTapped):
      return .merge(
        .send(.internal(.ticked)), .send(.internal(.loaded(["a"]))),
        .send(.delegate(.picked(name: "a"))))
    case .internal(.loaded(let names)):
      state.isLoading = false
      state.found = names
    case .internal(.failed): state.isLoading = false
    case .internal(.watched): break
    case .internal(.ticked): state.ticks += 1
    case .internal(.chained(let count)):
      return count > 1 ? .send(.internal(.chained(count - 1))) : .none
    case .delegate: state.text = "saw its own delegate action"
    case .input(.renamed(let text)): state.text = text
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> { Screen("Search") { $0.text(state.text) } }
}

enum SearchError: Error, Equatable { case tooLong, notFound }

/// Where names are looked up.
struct Library: Sendable {
  var find: @Sendable (String) throws -> [String]
}

extension DependencyValues {
  var library: Library {
    get { self[LibraryKey.self] }
    set { self[LibraryKey.self] = newValue }
  }
}

private enum LibraryKey: DependencyKey {
  static var liveValue: Library { Library { [$0] } }
  static var testValue: Library { liveValue }
}
