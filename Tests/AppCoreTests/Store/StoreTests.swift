@_spi(Host) import AppCore
import Testing

@Home
@Suite("Store")
struct StoreTests {
  private final class OnDeinit: @unchecked Sendable {
    // Unchecked: it continues the store's actor.
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
    deinit { body() }
  }

  @Test("Actions sent while one is reduced are buffered, and reduced in order")
  func order() {
    let store = notingStore { action in
      switch action {
      case .go: .merge(.send(.took(1)), .send(.took(2)), .send(.took(3)))
      case .took(let number) where number < 10: .send(.took(number * 10))
      default: .none
      }
    }
    store.send(.go)
    #expect(store.state == [.go, .took(1), .took(2), .took(3), .took(10), .took(20), .took(30)])
  }

  @Test("An action whose payload sends as it goes is reduced, and what it sends after it")
  func sendingDeinit() {
    enum Action: ComponentAction {
      case kickOff
      case carry(OnDeinit)
      case stop
    }
    weak var weakStore: Store<[String], Action>?
    let store = Store(
      initialState: [],
      reducer: Reduce<[String], Action> { state, action in
        switch action {
        case .kickOff:
          state.append("kickOff")
          let carried = (0..<3).map { _ in OnDeinit { weakStore?.send(.stop) } }
          return .merge(carried.map { .send(.carry($0)) })
        case .carry: state.append("carry")
        case .stop: state.append("stop")
        }
        return .none
      })
    weakStore = store
    store.send(.kickOff)
    #expect(store.state.first == "kickOff")
    #expect(store.state.count { $0 == "carry" } == 3)
    #expect(store.state.count { $0 == "stop" } == 3)
  }

  @Test("An observer and a listener that send as they are let go of do no harm")
  func sendingObservers() {
    let store = notingStore { _ in .none }
    var observations: [StoreObservation] = []
    for _ in 0..<3 {
      let sender = OnDeinit { [weak store] in store?.send(.stop) }
      observations.append(
        store.observe(\.count) { _ in
          _ = sender
          observations = []
        })
    }
    store.send(.go)
    #expect(store.state == [.go, .stop, .stop, .stop])
  }

  @Test("A reducer that reads its own store's state ends with a message that names both types")
  func readingOwnState() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Home.run {
        weak var weakStore: Store<Int, Note>?
        let store = Store(
          initialState: 0,
          reducer: Reduce<Int, Note> { state, _ in
            state += weakStore?.state ?? 0
            return .none
          })
        weakStore = store
        store.send(.go)
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("the state of a Store<Int, Note> was read by its own reducer"))
  }

  @Test("An effect starts at once; it continues when what it sends has been reduced")
  func immediateStart() async {
    let store = notingStore { action in
      guard action == .go else { return .none }
      return .run { send in
        #expect(threadName() == Home.threadName)
        await send(.took(1))
        await send(.took(2))
        #expect(threadName() == Home.threadName)
      }
    }
    let task = store.send(.go)
    // Within `send` the effect ran up to its first action, which is reduced.
    #expect(store.state == [.go, .took(1)])
    await task.finish()
    #expect(store.state == [.go, .took(1), .took(2)])
  }

  @Test("A chain of a million actions grows neither the stack nor the buffer")
  func longChain() {
    let reducer = Reduce<Int, Note> { count, action in
      count += 1
      return count < 1_000_000 ? .send(.go) : .none
    }
    let store = Store(initialState: 0, reducer: reducer)
    store.send(.go)
    #expect(store.state == 1_000_000)
  }

  @Test("A chain of actions lets go of the ones that were reduced")
  func chainMemory() {
    struct Load: ComponentAction { var object: Counted? }
    let count = LifeCount()
    var most = 0
    let reducer = Reduce<Int, Load> { number, _ in
      number += 1
      most = max(most, count.alive)
      return number < 50_000 ? .send(Load(object: Counted(number, count))) : .none
    }
    let store = Store(initialState: 0, reducer: reducer)
    store.send(Load())
    #expect(store.state == 50_000)
    #expect(count.alive == 0)
    // However long the chain, only a constant number is held on to.
    #expect(most < 3000)
  }

  @Test("A burst of many actions is reduced in order")
  func burst() {
    let reducer = Reduce<[Int], Note> { numbers, action in
      switch action {
      case .go: return .merge((0..<20_000).map { .send(.took($0)) })
      case .took(let number): numbers.append(number)
      case .stop: break
      }
      return .none
    }
    let store = Store(initialState: [], reducer: reducer)
    store.send(.go)
    #expect(store.state == Array(0..<20_000))
  }

  @Test("Actions of an observer are buffered too: a long chain does not grow the stack")
  func observers() {
    let store = notingStore { _ in .none }
    var depth = 0
    var deepest = 0
    store.onSettledActions { [unowned store] in
      depth += 1
      deepest = max(deepest, depth)
      if store.state.count < 10_000 { store.send(.took(store.state.count)) }
      depth -= 1
    }
    store.send(.go)
    #expect(store.state.count == 10_000)
    #expect(store.state.last == .took(9999))
    #expect(deepest == 1)
  }

  @Test("An observer hears once that a burst has been reduced")
  func settled() {
    let store = notingStore { $0 == .go ? .send(.took(1)) : .none }
    var heard: [Int] = []
    store.onSettledActions { [unowned store] in heard.append(store.state.count) }
    store.send(.go)
    store.send(.stop)
    #expect(heard == [2, 3])
  }

  @Test("An effect's action arrives on the store's actor after a hop to another thread")
  func hop() async {
    let store = notingStore { action in
      guard action == .go else {
        Home.shared.assertIsolated()
        return .none
      }
      return .run { send in await send(.took(await elsewhere())) }
    }
    await store.send(.go).finish()
    #expect(store.state == [.go, .took(42)])
  }
}

/// A number from a thread that is not the store's.
@concurrent
private func elsewhere() async -> Int {
  // Asked of the system: which thread this is, is what is tested.
  #expect(threadName() != Home.threadName)
  return 42
}
