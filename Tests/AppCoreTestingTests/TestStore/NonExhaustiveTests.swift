import AppCore
import AppCoreTesting
import Testing

@MainActor
@Suite("TestStore that is not exhaustive", .timeLimit(.minutes(10)))
struct NonExhaustiveTests {
  private func store(_ exhaustivity: Exhaustivity = .off) -> TestStoreOf<Search> {
    let store = TestStore(initialState: Search.State()) {
      Search()
    } withDependencies: {
      $0.clock = TestClock().appClock
    }
    store.exhaustivity = exhaustivity
    return store
  }

  private final class Box: Sendable {}

  private struct Boxes: Reducer {
    enum Action: ComponentAction { case go, came(Box) }
    static let (first, second) = (Box(), Box())

    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      guard case .go = action else { return .none }
      return .merge(.send(.came(Self.first)), .send(.came(Self.second)))
    }
  }

  @Test("An action that can't be compared fails at once, and one that is equal is preferred to it")
  func incomparable() async {
    let store = store()
    await store.send(.closeTapped)
    await store.send(.watchTapped)
    let found = await failures {
      await store.receive(.internal(.watched(Search.Handle {})))
    }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("The received action can't be compared") == true, "\(found)")

    await store.skipInFlightEffects()

    let boxes = TestStore(initialState: 0) { Boxes() }
    boxes.exhaustivity = .off
    await boxes.send(.go)
    await boxes.receive(.came(Boxes.second))
  }

  @Test("If none of the received actions is expected, all are listed, and what may send more")
  func noneExpected() async {
    let store = store()
    store.timeout = .milliseconds(20)
    await store.send(.threeTapped)
    let quiet = await failures { await store.receive(.delegate(.closed)) }
    #expect(
      quiet == [
        """
        None of the received actions is the expected one: .delegate(.closed)

            received:
              .internal(.ticked)
              .internal(.loaded(["a"]))
              .delegate(.picked(name: "a"))

          - no effect runs that could send it: was the effect returned from the reducer, or was it \
        cancelled?
        """
      ])
    await store.send(.searchTapped)
    await store.send(.closeTapped)
    let waiting = await failures { await store.receive(/Search.Action.Internal.loaded) }
    #expect(
      waiting == [
        """
        None of the actions received within 0.02 seconds is the expected one: .internal(.loaded(…))

            received:
              .delegate(.closed)
            effects run that were started by:
              .view(.searchTapped)

          - an effect that waits for a clock continues when the test advances it: \
        'await clock.advance(by:)'
          - an effect that waits for something else needs a dependency that the test puts in its \
        place, or more time: 'timeout:'
        """
      ])
  }

  @Test("What is left at the end is shown on request, and fails nothing")
  func showsLeftovers() async {
    let leftovers = [
      """
      Received and not asserted by the test's end:

          .delegate(.closed)
      """,
      """
      Effects that run at the test's end were started by:

          .view(.searchTapped)
      """,
    ]
    for (exhaustivity, notes) in [
      (Exhaustivity.off(showSkippedAssertions: true), leftovers), (.off, []),
    ] {
      let found = await failures {
        let store = store(exhaustivity)
        await store.send(.closeTapped)
        await store.receive(.delegate(.closed))
        await store.send(.searchTapped) { $0.isLoading = true }
        await store.send(.closeTapped)
      }
      #expect(found == notes)
    }
  }
}
