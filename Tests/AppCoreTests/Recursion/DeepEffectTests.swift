@_spi(Host) import AppCore
import TestSupport
import Testing

@DeepHome
@Suite(
  "Effects of deeply nested children", .timeLimit(.minutes(30)),
  .notSanitized("a sanitizer's frames are too long for 100,000 levels"))
struct DeepEffectTests {
  @Test("At 100,000 levels they run on the store's own thread, several of one child too")
  func deep() async {
    let depth = 100_000
    let store = Store(deep: Level.nested(depth), reducer: Level.reducer)
    await store.send(Level.at(depth, .send)).finish()
    for _ in 0..<3 { await store.send(Level.at(depth, .work)).finish() }
    #expect(store.state.counts(from: depth) == [4])
  }

  @Test("On a small stack they are dropped and reported; the process continues")
  func dropped() async {
    let reports = await reported {
      await Small.run { small in
        let store = Store(
          initialState: Level.nested(6_000), reducer: Level.reducer, isolation: small)
        await store.send(Level.at(6_000, .work)).finish()
        await store.send(Level.at(6_000, .send)).finish()
        #expect(store.state.counts(from: 6_000) == [0])
      }
    }
    #expect(!reports.isEmpty)
    #expect(reports.allSatisfy { $0.contains("nested deeper than this thread's stack allows") })
  }

  @Test("100,000 effects that are combined one by one all run, on a small stack, in their order")
  func combinedOneByOne() async {
    await Small.run { small in
      let numbers = 0..<100_000
      for isMerged in [true, false] {
        let reducer = Reduce<[Int], Number> { state, action in
          guard action == .begin else {
            if case .number(let number) = action { state.append(number) }
            return .none
          }
          return numbers.reduce(Effect.none) { effect, number in
            let next = Effect<Number>.send(.number(number))
            return isMerged ? effect.merge(with: next) : effect.concatenate(with: next)
          }
        }
        let store = Store(initialState: [], reducer: reducer, isolation: small)
        await store.send(.begin).finish()
        #expect(store.state == Array(numbers))
      }
    }
  }

  private enum Number: ComponentAction, Equatable { case begin, number(Int) }

  @Test("A chain of a million actions that somebody follows is let go of on a small stack")
  func followedChain() async {
    await Small.run { small in
      let reducer = Reduce<Int, Number> { count, _ in
        count += 1
        return count < 1_000_000 ? .send(.begin) : .none
      }
      let store = Store(initialState: 0, reducer: reducer, isolation: small)
      let actions = store.onActions { _ in }
      store.send(.begin)
      #expect(store.state == 1_000_000)
      actions.cancel()
    }
  }

  /// An actor on a thread with a stack of 8 MiB, as a main thread has.
  private actor Small {
    private let thread = StoreThread(name: "small", stackSize: 8 << 20)
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    static func run(_ body: @Sendable (isolated Small) async -> Void) async {
      await body(Small())
    }
  }
}
