@_spi(Host) import AppCore
import Testing

@Home
@Suite("ActionSender")
struct ActionSenderTests {
  @Test("From another task it hops to the store's actor, and continues when the action is reduced")
  func hop() async {
    let gate = Gate()
    let store = notingStore { action in
      Home.shared.assertIsolated()
      guard action == .go else { return .none }
      return .run { send in
        try await gate.wait()
        await send(.stop)
      }
    }
    let sender = store.sender
    let task = await Task.detached {
      #expect(threadName() != Home.threadName)
      return await sender.send(.go)
    }.value
    #expect(store.state == [.go])
    #expect(!task.hasEnded)
    gate.open()
    await task.finish()
    #expect(store.state == [.go, .stop])
  }

  @Test("A hundred tasks send at once, through a scope, and no action is lost")
  func many() async {
    let store = Family.store()
    let sender = store.scope(state: \.middle, action: /Family.Action.middle)
      .scope(state: \.leaf, action: /Family.Middle.Action.leaf).sender
    await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { _ = await sender.send(.addTapped) } }
    }
    #expect(store.state.middle.leaf.count == 100)
  }

  @Test("It does not hold the store, and sends nothing once that is gone")
  func gone() async {
    weak var weakStore: Store<[Note], Note>?
    let sender: ActionSender<Note>
    do {
      let store = notingStore { _ in .none }
      weakStore = store
      sender = store.sender
    }
    #expect(weakStore == nil)
    #expect(await sender.send(.go).hasEnded)
  }
}
