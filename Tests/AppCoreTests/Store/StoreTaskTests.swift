@_spi(Host) import AppCore
import Testing

@Home
@Suite("StoreTask")
struct StoreTaskTests {
  @Test("It ends with the effects, and with those of the actions that they send")
  func transitive() async {
    let gates = [Gate(), Gate()]
    let store = notingStore { action in
      switch action {
      case .go:
        return .run { send in
          try await gates[0].wait()
          await send(.took(1))
        }
      case .took(1): return .send(.took(2))
      case .took(2):
        return .run { send in
          try await gates[1].wait()
          await send(.stop)
        }
      default: return .none
      }
    }
    let task = store.send(.go)
    #expect(!task.hasEnded)
    gates[0].open()
    while store.state.count < 3 { await Task.yield() }
    #expect(!task.hasEnded)
    gates[1].open()
    await task.finish()
    #expect(task.hasEnded)
    #expect(store.state == [.go, .took(1), .took(2), .stop])
  }

  @Test("It cancels the effects, and those of the actions that they sent")
  func cancellation() async {
    let gate = Gate()
    let store = notingStore { action in
      switch action {
      case .go: .run { await $0(.took(1)) }
      case .took(1):
        .run { send in
          try await gate.wait()
          await send(.stop)
        }
      default: .none
      }
    }
    let task = store.send(.go)
    let other = store.send(.took(1))
    #expect(store.state == [.go, .took(1), .took(1)])
    task.cancel()
    #expect(task.isCancelled && !other.isCancelled)
    await task.finish()
    #expect(!other.hasEnded)
    gate.open()
    await other.finish()
    #expect(store.state == [.go, .took(1), .took(1), .stop])
  }

  @Test("An action without effects has a task that has ended")
  func nothing() async {
    let store = notingStore { $0 == .go ? .send(.took(1)) : .none }
    #expect(store.send(.stop).hasEnded)
    #expect(store.send(.go).hasEnded)
    await store.send(.go).finish()
  }

  @Test("An action sent while one is reduced has a task of its own, which ends with its effects")
  func reentrant() async {
    let gate = Gate()
    let store = notingStore { action in
      guard action == .took(1) else { return .none }
      return .run { send in
        try await gate.wait()
        await send(.stop)
      }
    }
    var inner: StoreTask?
    store.onSettledActions { [unowned store] in
      guard inner == nil else { return }
      inner = store.send(.took(1))
      #expect(store.state == [.go])
      #expect(inner?.hasEnded == false)
    }
    let outer = store.send(.go)
    #expect(outer.hasEnded)
    #expect(inner?.hasEnded == false)
    gate.open()
    await inner?.finish()
    #expect(store.state == [.go, .took(1), .stop])
  }

  @Test("When the task that waits is cancelled, so are the effects")
  func waiterCancelled() async {
    let gate = Gate()
    let store = notingStore { action in
      guard action == .go else { return .none }
      return .run { send in
        try await gate.wait()
        await send(.stop)
      }
    }
    let task = store.send(.go)
    let waiter = Task { await task.finish() }
    waiter.cancel()
    await waiter.value
    #expect(task.isCancelled)
    #expect(store.state == [.go])
  }
}
