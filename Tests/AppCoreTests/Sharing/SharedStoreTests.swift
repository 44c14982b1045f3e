import Testing

@_spi(Host) @testable import AppCore

@Home
@Suite("Shared values in stores")
struct SharedStoreTests {
  private struct Counter: Reducer {
    struct State: Equatable {
      @Shared(.inMemory("count")) var count = 0
      var other = 0
    }
    enum Action: ComponentAction { case addTapped, startTapped, found(Int) }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .addTapped:
        state.$count.withLock { $0 += 1 }
        return .none
      case .startTapped:
        return .run { [count = state.$count] _ in
          await Task.yield()
          count.withLock { $0 += 10 }
        }
      case .found(let number):
        state.other = number
        return .none
      }
    }
  }

  private func stores() -> (StoreOf<Counter>, StoreOf<Counter>) {
    withDependencies {
      $0.sharedStorage = SharedStorage()
    } operation: {
      (
        Store(initialState: Counter.State(), reducer: Counter()),
        Store(initialState: Counter.State(), reducer: Counter())
      )
    }
  }

  @Test("A change reaches the observers of every store that has the storage, once")
  func otherStore() async {
    let (one, other) = stores()
    var values = other.values(of: \.count).makeAsyncIterator()
    #expect(await values.next() == 0)
    var settled = 0
    other.onSettledActions { settled += 1 }
    one.send(.addTapped)
    one.send(.addTapped)
    #expect(await values.next() == 2)
    #expect(settled == 1)
    #expect(other.state.count == 2)
  }

  @Test("A change by an effect, on any thread, reaches observers without an action")
  func effect() async {
    let (one, other) = stores()
    var values = one.values(of: \.count).makeAsyncIterator()
    #expect(await values.next() == 0)
    one.send(.startTapped)
    #expect(await values.next() == 10)
    #expect(other.state.count == 10)
  }

  @Test("A store that has changed a value itself does not observe it again")
  func own() async {
    let (one, other) = stores()
    var (own, others) = (0, 0)
    one.onSettledActions { own += 1 }
    other.onSettledActions { others += 1 }
    var values = other.values(of: \.count).makeAsyncIterator()
    _ = await values.next()
    one.send(.addTapped)
    _ = await values.next()
    #expect((own, others) == (1, 1))
  }

  @Test("An observer of a whole state notices that a shared value in it has changed")
  func wholeState() async {
    let (one, other) = stores()
    let (changes, continuation) = AsyncStream.makeStream(of: Int.self)
    let observation = other.observe({ $0 }) { continuation.yield($0.count) }
    one.send(.addTapped)
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    observation.cancel()
  }

  /// A state in which a shared value is reached through what compares by identity first.
  private struct Nested: Equatable {
    struct Row: Equatable, Identifiable {
      let id: Int
      var name = ""
      @Shared var count: Int
    }
    var array: [Row] = []
    var optional: [[Row]?] = []
    var dictionary: [String: Row] = [:]
    @Boxed var boxed: Row?
    @Presented var presented: Row?
    var rows: IdentifiedArray<Row> = []
    var path: StackState<Row> = []
    @Shared(value: []) var shared: [Row]
  }

  @Test("An observer notices that a shared value within an array, a box or a child has changed")
  func nestedState() async {
    let places: [@Sendable (inout Nested, Nested.Row) -> Void] = [
      { $0.array = [$1] },
      { $0.optional = [nil, [$1]] },
      { $0.dictionary = ["a": $1] },
      { $0.boxed = $1 },
      { $0.presented = $1 },
      { $0.rows = [$1] },
      { $0.path = [$1] },
      { state, row in state.$shared.withLock { $0 = [row] } },
    ]
    for (number, put) in places.enumerated() {
      let (store, count, other) = withDependencies {
        $0.sharedStorage = SharedStorage()
      } operation: {
        let count = Shared(value: 0)
        let other = Shared(value: 0)
        var state = Nested(boxed: nil)
        put(&state, Nested.Row(id: 1, count: count))
        let reducer = Reduce<Nested, Note> { _, action in
          switch action {
          case .took(let number): count.withLock { $0 = number }
          case .go: other.withLock { $0 += 1 }
          case .stop: break
          }
          return .none
        }
        return (Store(initialState: state, reducer: reducer), count, other)
      }
      var calls = 0
      let observation = store.observe({ $0 }) { _ in calls += 1 }
      for action in [Note.took(1), .stop, .go, .took(1), .took(2)] { store.send(action) }
      #expect(calls == 2, "place \(number)")
      #expect((count.wrappedValue, other.wrappedValue) == (2, 1))
      observation.cancel()
    }
  }

  @Test("A store of another storage is not told")
  func otherStorage() async {
    let (one, other) = stores()
    let (third, _) = stores()
    var settled = 0
    third.onSettledActions { settled += 1 }
    var values = other.values(of: \.count).makeAsyncIterator()
    _ = await values.next()
    one.send(.addTapped)
    _ = await values.next()
    #expect(settled == 0)
    #expect(third.state.count == 0)
  }

  @Test("A store that is gone is let go of")
  func lifetime() {
    let storage = SharedStorage()
    weak var core: AnyObject?
    withDependencies {
      $0.sharedStorage = storage
    } operation: {
      let store = Store(
        initialState: Counter.State(), reducer: Counter())
      core = store.node
      #expect(core != nil)
    }
    #expect(core == nil)
    withDependencies {
      $0.sharedStorage = storage
    } operation: {
      Counter.State().$count.withLock { $0 += 1 }
    }
  }
}
