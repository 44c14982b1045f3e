@_spi(Host) import AppCore
import Testing

@Home
@Suite("Effect: merge and concatenate")
struct EffectOrderTests {
  @Test("Merged effects run at once")
  func merge() async {
    let first = Gate()
    let second = Gate()
    // Each waits for the other: run one after another they would never end.
    let store = notingStore { action in
      guard action == .go else { return .none }
      return .merge(
        .run { send in
          first.open()
          try await second.wait()
          await send(.took(1))
        },
        .run { send in
          try await first.wait()
          second.open()
          await send(.took(2))
        })
    }
    await store.send(.go).finish()
    #expect(Set(store.state) == [.go, .took(1), .took(2)])
  }

  @Test("Concatenated effects run one after another, all of one before any of the next")
  func concatenate() async {
    let log = Log()
    func step(_ number: Int) -> Effect<Note> {
      .run { send in
        log.add("\(number) begins")
        await Task.yield()
        await send(.took(number))
        log.add("\(number) ends")
      }
    }
    let store = notingStore { action in
      guard action == .go else { return .none }
      return .concatenate(
        step(1), .merge(step(2), .none), .concatenate(step(3), .send(.took(4))), .none, step(5))
    }
    await store.send(.go).finish()
    #expect(store.state == [.go] + (1...5).map(Note.took))
    #expect(log.lines == [1, 2, 3, 5].flatMap { ["\($0) begins", "\($0) ends"] })
  }

  @Test("An effect that follows `.send` starts when that action has been reduced")
  func afterSend() async {
    let sends: [Effect<Note>] = [
      .send(.took(1)), .send(.took(1)).cancellable(id: 1), .send(.took(1)).map { $0 },
      .merge(.send(.took(1)), .none).throttle(id: 1, for: .seconds(1), latest: true),
      .concatenate(.send(.stop), .send(.took(1))).cancellable(id: 1),
      .merge(.send(.stop), .send(.took(1))), .merge(.run { _ in }, .send(.took(1))),
    ]
    for send in sends {
      let log = Log()
      let store = notingStore { action in
        log.add("\(action)")
        guard action == .go else { return .none }
        return .concatenate(send, .run { _ in log.add("runs") })
      }
      await store.send(.go).finish()
      #expect(log.lines.filter { $0 != "stop" } == ["go", "took(1)", "runs"])
    }
  }

  @Test("An action at the start of a sequence can cancel the rest of it")
  func cancelledByFirst() async {
    let log = Log()
    let store = notingStore { action in
      switch action {
      case .go:
        .concatenate(.send(.stop), .run { _ in log.add("runs") }).cancellable(id: "sequence")
      case .stop: .cancel(id: "sequence")
      case .took: .none
      }
    }
    await store.send(.go).finish()
    #expect(store.state == [.go, .stop])
    #expect(log.lines.isEmpty)
  }

  @Test("A cancelled sequence starts nothing further")
  func cancelledSequence() async {
    let store = notingStore { action in
      switch action {
      case .go:
        .concatenate(
          .run { _ in try await Task.sleep(for: .seconds(3600)) }, .run { await $0(.took(1)) }
        )
        .cancellable(id: "sequence")
      case .stop: .cancel(id: "sequence")
      case .took: .none
      }
    }
    let task = store.send(.go)
    store.send(.stop)
    await task.finish()
    #expect(store.state == [.go, .stop])
  }

  @Test("A sequence that cancels itself ends there, even while it still starts")
  func selfCancelling() async {
    let store = notingStore { action in
      guard action == .go else { return .none }
      return .concatenate(.send(.took(1)), .cancel(id: "me"), .run { await $0(.took(2)) })
        .cancellable(id: "me")
    }
    await store.send(.go).finish()
    #expect(store.state == [.go, .took(1)])
  }

  @Test("Nothing combined with nothing is nothing")
  func none() {
    let nothing = Effect<Note>.none
    #expect(Effect<Note>.merge(.none, nothing).isNone)
    #expect(Effect<Note>.concatenate([]).isNone)
    #expect(nothing.merge(with: .none).concatenate(with: .none).isNone)
    #expect(nothing.cancellable(id: 1).isNone)
    // It still cancels what runs.
    #expect(!nothing.cancellable(id: 1, cancelInFlight: true).isNone)
    #expect(!Effect<Note>.merge(.none, .send(.go)).isNone)
  }
}
