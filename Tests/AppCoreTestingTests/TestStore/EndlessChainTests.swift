import AppCore
import AppCoreTesting
import Testing

@MainActor
@Suite("TestStore cuts off endless chains of actions", .timeLimit(.minutes(10)))
struct EndlessChainTests {
  /// Each action is followed by another one, 300,000 times: a store without a limit ends, too.
  private struct Echo: Reducer {
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case tapped }
      enum Internal: Sendable { case repeated(Int) }
      case view(View)
      case `internal`(Internal)
    }

    func reduce(into count: inout Int, action: Action) -> Effect<Action> {
      count += 1
      return count < 300_000 ? .send(.internal(.repeated(count))) : .none
    }
  }

  @Test("The test fails once, with the action that was dropped and what to do")
  func cut() async {
    let store = TestStore(initialState: 0) { Echo() }
    store.sendChainLimit = nil
    store.exhaustivity = .off
    let found = await failures {
      await store.send(.tapped)
      await store.finish()
    }
    #expect(store.state == 100_001)
    #expect(
      found == [
        """
        Actions answer each other without end: 100,000 have been reduced in a row, and \
        .internal(.repeated(100001)) was dropped.
          - return '.none' for the action with which the chain is to end
          - an effect that repeats an action waits in between: '.timer(every:)', or a sleep on 'clock'
        """
      ])
  }

  @Test("What an exhaustive test says of the chain is short")
  func exhaustive() async {
    let found = await failures {
      let store = TestStore(initialState: 0) { Echo() }
      await store.send(.tapped) { $0 = 1 }
    }
    let begins = [
      "Effects sent 4 actions directly", "Actions answer each other without end",
      "3 actions were sent by the feature to itself",
      "100000 actions were received and not asserted",
    ]
    #expect(found.count == begins.count)
    for (text, begin) in zip(found, begins) {
      #expect(text.hasPrefix(begin), "\(text.prefix(200))")
      #expect(text.count < 10_000, "\(begin)")
    }
  }
}
