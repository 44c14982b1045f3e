import AppCore
import AppCoreTesting
import Testing

@MainActor
@Suite("Tea, by itself")
struct TeaStoreTests {
  @Test("It steeps for three minutes, and is served when it is poured")
  func story() async throws {
    let clock = TestClock()
    let store = try TestStore(arguments: NoArguments()) {
      Tea()
    } withDependencies: {
      $0.clock = clock.appClock
    }

    await store.didStart()
    await clock.advance(by: .seconds(180))
    await store.receive(.internal(.steeped)) { $0.isReady = true }

    await store.send(.pourTapped)
    await store.receive(.delegate(.served))
  }
}
