import AppCore
import Foundation
import Testing

@Suite("A Store used outside of its actor", .timeLimit(.minutes(30)))
struct StoreIsolationTests {
  /// What gets a store around the compiler.
  private final class Smuggled: @unchecked Sendable {
    // Unchecked: that is what is tested.
    let store: Store<[Note], Note>
    init(_ store: Store<[Note], Note>) { self.store = store }
  }

  enum Use: String, CaseIterable, Codable {
    case send, state, observe
  }

  @Test("ends the process with a message that names the store", arguments: Use.allCases)
  func foreignThread(use: Use) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [use] in
      let smuggled = await Home.run { Smuggled(notingStore { _ in .none }) }
      await withCheckedContinuation { continuation in
        Thread {
          switch use {
          case .send: smuggled.store.send(.go)
          case .state: _ = smuggled.store.state
          case .observe: _ = smuggled.store.observe(\.count) { _ in }
          }
          continuation.resume()
        }.start()
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("a Store<Array<Note>, Note> was used outside of the actor"))
  }

  /// Two actors that run on the same threads, one of which has the other's store.
  private actor Pooled {
    func makeStore() -> Smuggled {
      Smuggled(
        Store(initialState: [], reducer: Reduce<[Note], Note> { _, _ in .none }, isolation: self))
    }
    func use(_ smuggled: Smuggled) { smuggled.store.send(.go) }
  }

  @Test("A thread of the pool on which the store was used before makes no difference")
  func sameThread() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let (home, other) = (Pooled(), Pooled())
      let smuggled = await home.makeStore()
      await home.use(smuggled)
      await other.use(smuggled)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    // The runtime's words: between two actors of its own it does not wait for ours.
    #expect(text.contains("Pooled' executor"))
  }
}
