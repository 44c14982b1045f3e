internal import AppCore

/// A component with a state, effects and dialogs, which downloads a file or deletes it.
struct Download: Reducer {
  struct State: Codable, Sendable, Equatable {
    enum Mode: Codable, Sendable, Equatable { case absent, loading(Double), present }
    let url: String
    var mode = Mode.absent
    @Presented var alert: AlertState<Alert>?

    mutating func end() {
      if case .loading = mode { (mode, alert) = (.absent, nil) }
    }
  }
  enum Alert: Codable, Sendable { case stopConfirmed, deletionConfirmed }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case tapped }
    enum Internal: Sendable, Equatable { case progressed(Double), loaded, failed }
    case view(View)
    case `internal`(Internal)
    case alert(PresentationAction<Alert>)
  }
  private enum CancelID { case download }
  @Dependency(DownloadServer.self) var server

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch (action, state.mode) {
      case (.view(.tapped), .absent):
        state.mode = .loading(0)
        return .run { [url = state.url] send in
          try await server.download(url) { await send(.internal(.progressed($0))) }
          await send(.internal(.loaded))
        } catch: { _, send in
          await send(.internal(.failed))
        }
        .cancellable(id: CancelID.download)
      case (.view(.tapped), .loading): state.alert = question("Stop the download?", .stopConfirmed)
      case (.view(.tapped), .present): state.alert = question("Delete it?", .deletionConfirmed)
      case (.internal(.progressed(let fraction)), _): state.mode = .loading(fraction)
      case (.internal(.loaded), _):
        state.mode = .present
        state.alert = nil
      case (.internal(.failed), _), (.alert(.presented(.deletionConfirmed)), _):
        state.mode = .absent
        state.alert = nil
      case (.alert(.presented(.stopConfirmed)), _):
        state.mode = .absent
        return .cancel(id: CancelID.download)
      case (.alert(.dismiss), _): break
      }
      return .none
    }
    .ifLet(\.$alert, action: /Action.alert)
  }

  private func question(_ title: String, _ answer: Alert) -> AlertState<Alert> {
    AlertState {
      title
    } actions: {
      ButtonState("Yes", role: .destructive, action: answer)
      ButtonState.cancel("No")
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Download") { screen in
      if screen.alert(state.alert, /Action.alert) { return }
      switch state.mode {
      case .absent: screen.button("Download", id: "download", action: .tapped)
      case .loading(let fraction):
        screen.progress("Downloading", fraction: fraction)
        screen.button("Stop", id: "download", action: .tapped)
      case .present: screen.button("Delete", id: "download", action: .tapped)
      }
    }
  }
}

/// A map that can be downloaded.
struct CityMap: Reducer {
  struct State: Codable, Sendable, Equatable, Identifiable {
    let id: String
    let text: String
    var download: Download.State
  }
  enum Action: FeatureAction { case download(Download.Action) }

  var body: some ReducerOf<Self> {
    Scope(state: \.download, action: /Action.download) { Download() }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen(state.id) { screen in
      screen.text(state.text)
      screen.embed(
        Download().screen(state.download).titled("", id: state.id.lowercased()), /Action.download)
    }
  }
}

/// Several maps, downloaded independently of each other.
struct Downloads: Feature {
  struct State: Codable, Sendable, Equatable {
    var maps: IdentifiedArrayOf<CityMap.State> = [
      CityMap.State(
        id: "Bergen", text: "Seven hills and a harbor.",
        download: Download.State(url: "maps/bergen")),
      CityMap.State(
        id: "Oslo", text: "At the end of its fjord.", download: Download.State(url: "maps/oslo")),
    ]
  }
  enum Action: FeatureAction { case maps(IdentifiedActionOf<CityMap>) }

  func initialState(_ arguments: NoArguments) -> State { State() }

  /// A download does not outlive the app.
  func didRestore(_ state: inout State) -> Effect<Action> {
    for id in state.maps.ids { state.maps[id: id]?.download.end() }
    return .none
  }

  var body: some ReducerOf<Self> {
    EmptyReducer().forEach(\.maps, action: /Action.maps) { CityMap() }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Downloads") { $0.embed(state.maps, /Action.maps, screen: CityMap().screen) }
  }
}

/// A server in this process: a download arrives in four parts, a quarter of a second apart.
struct DownloadServer: DependencyKey {
  typealias Progress = @Sendable (_ fraction: Double) async -> Void
  var download: @Sendable (_ url: String, Progress) async throws -> Void

  static let liveValue = DownloadServer { _, progress in
    @Dependency(\.clock) var clock
    for part in 1...4 {
      try await clock.sleep(for: .milliseconds(250))
      await progress(Double(part) / 4)
    }
  }
}
