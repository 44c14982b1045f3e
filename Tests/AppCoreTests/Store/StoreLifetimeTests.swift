@_spi(Host) import AppCore
import Testing

@Home
@Suite("The end of a Store")
struct StoreLifetimeTests {
  @Test("Effects are cancelled when the store goes")
  func cancellation() async throws {
    let started = Gate()
    let log = Log()
    let gate = Gate()
    let task = await Home.run {
      let store = notingStore { action in
        guard action == .go else { return .none }
        return .run { send in
          started.open()
          do { try await gate.wait() } catch { log.add("cancelled") }
          await send(.took(1))
          log.add("ended")
        }
      }
      return store.send(.go)
    }
    try await started.wait()
    await task.finish()
    #expect(log.lines == ["cancelled", "ended"])
  }

  @Test("A store with running effects is let go of, with all that its effects hold")
  func leaks() async {
    let count = LifeCount()
    let gate = Gate()
    for _ in 0..<100 {
      let task = await Home.run {
        let object = Counted(1, count)
        let store = notingStore { action in
          guard action == .go else { return .none }
          return .run { send in
            try await gate.wait()
            await send(.took(object.number))
          }
          .cancellable(id: "x")
        }
        weak let weakStore = store
        let task = store.send(.go)
        #expect(weakStore != nil)
        return task
      }
      await task.finish()
    }
    #expect(count.alive == 0)
  }

  @Test("A store that nobody holds is gone, whatever ran in it before")
  func weakStore() async {
    weak var weakStore: Store<[Note], Note>?
    do {
      let store = notingStore { action in
        switch action {
        case .go: .concatenate(.send(.took(1)), .run { await $0(.took(2)) }, .send(.stop))
        default: .none
        }
      }
      weakStore = store
      await store.send(.go).finish()
      #expect(store.state == [.go, .took(1), .took(2), .stop])
    }
    #expect(weakStore == nil)
  }

  @Test("A store that is released elsewhere ends on its actor, after what runs there")
  func releasedElsewhere() async throws {
    final class Owner: @unchecked Sendable {
      var store: Store<Witness, Note>?
    }
    final class Witness: Sendable {
      let threads: AsyncStream<String>.Continuation
      init(_ threads: AsyncStream<String>.Continuation) { self.threads = threads }
      deinit {
        threads.yield(threadName())
        threads.finish()
      }
    }
    for _ in 0..<100 {
      let (stream, threads) = AsyncStream.makeStream(of: String.self)
      let owner = Owner()
      owner.store = Store(
        initialState: Witness(threads),
        reducer: Reduce { _, _ in .run { _ in try await Gate().wait() } })
      let task = owner.store?.send(.go)
      await Task.detached { owner.store = nil }.value
      await task?.finish()
      var ends = stream.makeAsyncIterator()
      #expect(await ends.next(isolation: Home.shared) == Home.threadName)
    }
  }

  @Test("Actions of a cancelled effect are dropped, and not reported")
  func lateSend() async {
    let reports = await reported {
      let gate = Gate()
      let store = notingStore { action in
        guard action == .go else { return .none }
        return .run { send in
          try? await gate.wait()
          await send(.took(1))
        }
      }
      let task = store.send(.go)
      task.cancel()
      await task.finish()
      #expect(store.state == [.go])
    }
    #expect(reports.isEmpty)
  }
}
