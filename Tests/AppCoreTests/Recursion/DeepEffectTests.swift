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

  /// An actor on a thread with a stack of 8 MiB, as a main thread has.
  private actor Small {
    private let thread = StoreThread(name: "small", stackSize: 8 << 20)
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    static func run(_ body: @Sendable (isolated Small) async -> Void) async {
      await body(Small())
    }
  }
}
