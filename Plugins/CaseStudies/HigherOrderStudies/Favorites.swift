internal import AppCore

/// A reusable component that marks an item as a favorite, and undoes it if the server rejects the
/// change.
struct Favorite<ID: Codable & Hashable & Sendable>: Reducer {
  let save: @Sendable (ID, Bool) async throws -> Void

  struct State: Codable, Sendable, Equatable {
    let id: ID
    var isFavorite = false
    @Presented var alert: AlertState<Never>?
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case changed(Bool) }
    enum Internal: Sendable, Equatable { case refused(String) }
    case view(View)
    case `internal`(Internal)
    case alert(PresentationAction<Never>)
  }
  private enum CancelID { case save }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.changed(let isFavorite)):
        // Shown at once, before the server answers.
        state.isFavorite = isFavorite
        return .run { [id = state.id] _ in
          try await save(id, isFavorite)
        } catch: { error, send in
          await send(.internal(.refused("\(error)")))
        }
        .cancellable(id: CancelID.save, cancelInFlight: true)
      case .internal(.refused(let reason)): state.alert = AlertState { reason }
      case .alert: state.isFavorite.toggle()
      }
      return .none
    }
    .ifLet(\.$alert, action: /Action.alert)
  }

  static func screen(_ state: State, label: String) -> Screen<Action> {
    Screen("") { screen in
      if screen.alert(state.alert, /Action.alert) { return }
      screen.toggle(label, id: "favorite", isOn: state.isFavorite) { .changed($0) }
    }
  }
}

/// An episode, with ``Favorite`` as a child.
struct Episode: Reducer {
  struct State: Codable, Sendable, Equatable, Identifiable {
    let title: String
    var favorite: Favorite<Int>.State
    var id: Int { favorite.id }
  }
  enum Action: FeatureAction { case favorite(Favorite<Int>.Action) }
  @Dependency(EpisodeServer.self) var server

  var body: some ReducerOf<Self> {
    Scope(state: \.favorite, action: /Action.favorite) {
      Favorite { try await server.setFavorite($0, $1) }
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("") { screen in
      screen.embed(
        Favorite.screen(state.favorite, label: state.title).titled("", id: "\(state.id)"),
        /Action.favorite)
    }
  }
}

/// The episodes, each with a reducer for its element.
struct Favorites: Feature {
  struct State: Codable, Sendable, Equatable {
    var episodes = IdentifiedArrayOf<Episode.State>(
      ["Functions", "Parsers", "Side effects"].enumerated().map { number, title in
        Episode.State(title: title, favorite: Favorite.State(id: number + 1))
      })
  }
  enum Action: FeatureAction { case episodes(IdentifiedActionOf<Episode>) }

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    EmptyReducer().forEach(\.episodes, action: /Action.episodes) { Episode() }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Favorites") { $0.embed(state.episodes, /Action.episodes, screen: Episode().screen) }
  }
}

/// A server that takes a second for each request, and rejects the third episode.
struct EpisodeServer: DependencyKey {
  var setFavorite: @Sendable (Int, Bool) async throws -> Void

  struct Refused: Error, CustomStringConvertible {
    var description: String { "The server refused it." }
  }

  static let liveValue = EpisodeServer { id, _ in
    @Dependency(\.clock) var clock
    try await clock.sleep(for: .seconds(1))
    if id == 3 { throw Refused() }
  }
}
