@_spi(Host) import AppCore
import Testing

@Home
@Suite("Observing a Store")
struct StoreObservationTests {
  @Test("A closure hears of changes, and not of what stays the same")
  func changes() {
    let store = Family.store()
    let leaf = store.scope(state: \.middle, action: /Family.Action.middle)
      .scope(state: \.leaf, action: /Family.Middle.Action.leaf)
    var counts: [Int] = []
    var parities: [Bool] = []
    let first = leaf.observe(\.count) { counts.append($0) }
    let second = store.observe {
      $0.middle.leaf.count > 1
    } onChange: {
      parities.append($0)
    }
    store.send(.nothing)
    leaf.send(.addTapped)
    store.send(.nothing)
    leaf.send(.addTapped)
    #expect(counts == [1, 2])
    #expect(parities == [true])
    first.cancel()
    leaf.send(.addTapped)
    #expect(counts == [1, 2])
    _ = second
  }

  @Test("Actions of an observer are reduced once all observers have been called")
  func sending() {
    let store = notingStore { _ in .none }
    var heard: [String] = []
    let first = store.observe(\.count) { [unowned store] count in
      heard.append("first \(count)")
      if count < 3 { store.send(.took(count)) }
    }
    let second = store.observe(\.count) { heard.append("second \($0)") }
    store.send(.go)
    #expect(heard == ["first 1", "second 1", "first 2", "second 2", "first 3", "second 3"])
    _ = (first, second)
  }

  @Test("An endless cascade of observers' actions is cut off and reported once per action")
  func cascade() {
    let store = notingStore { _ in .none }
    var dropped: [Note] = []
    store.cutCascades(at: 10, waiting: 100) { [unowned store] in
      dropped.append($0)
      store.send(.stop)
    }
    let observation = store.observe(\.count) { [unowned store] count in
      if count < 1000 { store.send(.took(count)) }
    }
    store.send(.go)
    #expect(dropped == [.took(11)])
    // The report's action begins a cascade of its own, which is cut off as well.
    #expect(store.state == [.go] + (1...10).map(Note.took) + [.stop] + (12...20).map(Note.took))
    store.send(.go)
    #expect(dropped.count == 2)
    observation.cancel()
    store.send(.go)
    #expect(dropped.count == 2)
    #expect(store.state.last == .go)
  }

  @Test("An observer that is removed while others are told is not told; a new one is, next time")
  func removal() {
    let store = notingStore { _ in .none }
    var heard: [String] = []
    var second: StoreObservation?
    var third: StoreObservation?
    let first = store.observe(\.count) { count in
      heard.append("first \(count)")
      second = nil
      if third == nil { third = store.observe(\.count) { heard.append("third \($0)") } }
    }
    second = store.observe(\.count) { heard.append("second \($0)") }
    store.send(.go)
    store.send(.stop)
    #expect(heard == ["first 1", "first 2", "third 2"])
    _ = (first, second)
  }

  @Test("A sequence gives the value now and each that differs, and ends with the store")
  func values() async {
    let counts = Log()
    let task = await Home.run {
      let store = Family.store()
      let leaf = store.scope(state: \.middle, action: /Family.Action.middle)
        .scope(state: \.leaf, action: /Family.Middle.Action.leaf)
      let values = leaf.values(of: \.count)
      let task = Task { for await count in values { counts.add("\(count)") } }
      leaf.send(.addTapped)
      store.send(.nothing)
      leaf.send(.addTapped)
      return task
    }
    await task.value
    #expect(counts.lines == ["0", "1", "2"])
  }

  @Test("A sequence that is cancelled is not fed any more")
  func cancelledSequence() async {
    struct Watched: Equatable, Sendable {
      let number: Int
      let counted: Counted
      static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    }
    let count = LifeCount()
    let store = notingStore { _ in .none }
    var asked = 0
    let values = store.values { notes in
      asked += 1
      return Watched(number: notes.count, counted: Counted(0, count))
    }
    let task = Task { for await _ in values {} }
    store.send(.go)
    #expect(asked > 1)
    task.cancel()
    await task.value
    let before = asked
    store.send(.go)
    store.send(.go)
    #expect(asked == before)
    #expect(count.alive == 0)
  }

  @Test(
    "A sequence without a consumer is let go of, although the child whose values it had is gone")
  func cancelledSequenceOfChild() async {
    let count = LifeCount()
    struct State {
      var child: Counted?
      var closings = 0
    }
    enum Action: ComponentAction { case closed, child(Note) }
    let reducer = Reduce<State, Action> { state, action in
      if case .closed = action { (state.child, state.closings) = (nil, state.closings + 1) }
      return .none
    }
    let store = Store(initialState: State(child: Counted(0, count)), reducer: reducer)
    var child = store.scope(state: \.child, action: /Action.child)
    let values = child?.values { $0.number }
    #expect(count.alive == 1)
    child = nil
    let task = Task { if let values { for await _ in values {} } }
    store.send(.closed)
    task.cancel()
    await task.value
    store.send(.closed)
    #expect(store.state.closings == 2)
    #expect(count.alive == 0)
  }

  @Test("An observer that holds its store holds it only as long as the observation")
  func cycle() {
    let count = LifeCount()
    for isCancelled in [true, false] {
      weak var weakStore: Store<[Note], Note>?
      do {
        let counted = Counted(0, count)
        let store = notingStore { _ in .none }
        weakStore = store
        let observation = store.observe(\.count) { _ in _ = (store, counted) }
        store.send(.go)
        if isCancelled { observation.cancel() }
      }
      #expect(weakStore == nil)
      #expect(count.alive == 0)
    }
  }

  @Test("A hundred observers add a hundred comparisons to a turn, and nothing is left of them")
  func hundred() {
    let store = notingStore { _ in .none }
    var asked = 0
    var told = 0
    var observations = (0..<100).map { number in
      store.observe {
        asked += 1
        return $0.count / (number + 1)
      } onChange: { _ in
        told += 1
      }
    }
    asked = 0
    store.send(.go)
    #expect(asked == 100)
    #expect(told == 1)
    observations.removeAll()
    store.send(.go)
    #expect(asked == 100)
  }
}
