import AppCore
import AppCoreTesting
import Testing

@testable import HigherOrderStudies

@MainActor
@Suite("The studies of higher-order reducers")
struct HigherOrderTests {
  private struct Refused: Error, CustomStringConvertible { let description = "refused" }

  @Test("A favorite is shown at once, and taken back if the server refuses it")
  func favorites() async throws {
    let clock = TestClock()
    let store = try studyStore(of: Favorites()) {
      $0.clock = clock.appClock
      $0[EpisodeServer.self] = .liveValue
    }
    func send(_ id: Int, _ isOn: Bool) async {
      await store.send(
        /Favorites.Action.episodes, .element(id: id, action: .favorite(.view(.changed(isOn))))
      ) { $0.episodes[id: id]?.favorite.isFavorite = isOn }
    }
    await send(1, true)
    await send(3, true)
    await clock.advance(by: .seconds(1))
    await store.receive(/Favorites.Action.episodes, 3, /Episode.Action.favorite) {
      $0.episodes[id: 3]?.favorite.alert = AlertState { "The server refused it." }
    }
    await store.send(
      /Favorites.Action.episodes, .element(id: 3, action: .favorite(.alert(.dismiss)))
    ) {
      $0.episodes[id: 3]?.favorite.alert = nil
      $0.episodes[id: 3]?.favorite.isFavorite = false
    }
    await send(1, false)
    await clock.advance(by: .seconds(1))
  }

  @Test("Of two changes of one favorite, only the last is asked for")
  func replacedFavorite() async throws {
    let clock = TestClock()
    let store = TestStore(initialState: Favorite.State(id: "a")) {
      Favorite<String> { _, isFavorite in
        try await clock.appClock.sleep(for: .seconds(1))
        if isFavorite { throw Refused() }
      }
    }
    await store.send(.changed(true)) { $0.isFavorite = true }
    await store.send(.changed(false)) { $0.isFavorite = false }
    await clock.advance(by: .seconds(1))
    await store.finish()
  }

  @Test("A download can be stopped, and one that fails is absent")
  func stoppedDownload() async throws {
    let clock = TestClock()
    let store = TestStore(initialState: Download.State(url: "a")) {
      Download()
    } withDependencies: {
      $0[DownloadServer.self] = DownloadServer { _, progress in
        await progress(0.5)
        try await clock.appClock.sleep(for: .seconds(1))
        throw Refused()
      }
    }
    await store.send(.tapped) { $0.mode = .loading(0) }
    await store.receive(.internal(.progressed(0.5))) { $0.mode = .loading(0.5) }
    let question = AlertState<Download.Alert> {
      "Stop the download?"
    } actions: {
      ButtonState("Yes", role: .destructive, action: .stopConfirmed)
      ButtonState.cancel("No")
    }
    await store.send(.tapped) { $0.alert = question }
    await store.send(/Download.Action.alert, .presented(.stopConfirmed)) {
      $0.alert = nil
      $0.mode = .absent
    }
    await clock.advance(by: .seconds(1))
    await store.send(.tapped) { $0.mode = .loading(0) }
    await store.receive(.internal(.progressed(0.5))) { $0.mode = .loading(0.5) }
    await store.send(.tapped) { $0.alert = question }
    await clock.advance(by: .seconds(1))
    // The question is of no use any more.
    await store.receive(.internal(.failed)) {
      $0.alert = nil
      $0.mode = .absent
    }
  }

  @Test("A download that the end of the app has interrupted is absent, and can begin again")
  func interruptedDownload() async {
    var state = Downloads.State()
    state.maps[id: "Oslo"]?.download.mode = .loading(0.5)
    state.maps[id: "Bergen"]?.download.mode = .present
    let store = TestStore(initialState: state) { Downloads() }
    await store.didRestore { $0.maps[id: "Oslo"]?.download.mode = .absent }
  }
}
