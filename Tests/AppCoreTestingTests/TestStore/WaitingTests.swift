import AppCore
import AppCoreTesting
import TestSupport
import Testing

@MainActor
@Suite("TestStore waits for each task of an effect", .serialized, .timeLimit(.minutes(30)))
struct WaitingTests {
  @Test("When 'advance' returns, nothing is missing", arguments: Waiting.Form.allCases, [0, 8])
  func rounds(form: Waiting.Form, load: Int) async {
    let load = MachineLoad(load)
    defer { load.end() }
    for _ in 0..<roundCount {
      let clock = TestClock()
      let store = TestStore(initialState: Waiting.State()) {
        Waiting()
      } withDependencies: {
        $0.clock = clock.appClock
      }
      await store.send(.begin(form))
      if form == .cancelledInFlight { await store.send(.begin(form)) }
      await clock.advance(by: .seconds(1))
      await store.receive(.internal(.came(1)), timeout: .zero) { $0.sent = [1] }
      if form == .cancelledInFlight {
        await store.send(.stopTapped)
        #expect(clock.sleeperCount == 0)
      } else {
        await clock.run()
        for number in form.all.dropFirst() {
          await store.receive(.internal(.came(number)), timeout: .zero) { $0.sent.append(number) }
        }
      }
      await store.finish(timeout: .zero)
    }
  }
}
