import AppCore
import Synchronization
import Testing

@Home
@Suite("Bodies that contain their own reducer", .timeLimit(.minutes(30)))
struct RecursiveBodyTests {
  @Test("A body has its own reducer in it", arguments: [0, 1, 2, 100, 1000])
  func itself(depth: Int) {
    let store = Store(initialState: Level.nested(depth), reducer: Level.reducer)
    store.send(Level.at(depth, .add))
    store.send(Level.at(depth, .add))
    #expect(store.state.counts(from: 0) == Array(repeating: 0, count: depth) + [2])
  }

  @Test("It is let go of with its last owner")
  func release() {
    weak var built: Built?
    do {
      let owned = Built()
      built = owned
      let store = Store(
        initialState: Layer.State(next: Layer.State()),
        reducer: Layer(number: 0, last: nil, built: owned))
      store.send(.next(.presented(.note)))
    }
    #expect(built == nil)
  }

  /// Contains itself with another value at each level, and without end where there is no last one.
  struct Layer: Reducer {
    struct State: Sendable {
      var log: [Int] = []
      @Presented var next: State?
    }

    indirect enum Action: ComponentAction {
      case note
      case next(PresentationAction<Action>)
    }
    let number: Int
    let last: Int?
    let built: Built

    var body: some ReducerOf<Self> {
      let _ = built.count.add(1, ordering: .relaxed)
      let own = Reduce<State, Action> { state, action in
        if case .note = action { state.log.append(number) }
        return .none
      }
      if number == last {
        own
      } else {
        own.ifLet(\.$next, action: /Action.next) {
          Self(number: number + 1, last: last, built: built)
        }
      }
    }
  }

  final class Built: Sendable {
    let count = Atomic(0)
  }

  @Test("Reducers that differ at each level answer with their own values", arguments: [40, nil])
  func values(last: Int?) {
    let state = (0..<40).reduce(Layer.State()) { state, _ in Layer.State(next: state) }
    let built = Built()
    let reducer = Layer(number: 0, last: last, built: built)
    let store = Store(initialState: state, reducer: reducer)
    #expect(built.count.load(ordering: .relaxed) < 40)
    for depth in 0...40 {
      let action = (0..<depth).reduce(Layer.Action.note) { action, _ in
        .next(.presented(action))
      }
      store.send(action)
      store.send(action)
    }
    let afterwards = built.count.load(ordering: .relaxed)
    var next: Layer.State? = store.state
    for depth in 0...40 {
      #expect(next?.log == [depth, depth])
      next = next?.next
    }
    store.send((0..<40).reduce(.note) { action, _ in .next(.presented(action)) })
    #expect(built.count.load(ordering: .relaxed) == afterwards)
  }

  @Test("Reducers of one type side by side do not count as one in the other")
  func siblings() {
    struct Pair: Sendable { var left = Level(), right = Level() }
    enum Action: ComponentAction { case left(Level.Action), right(Level.Action) }
    let store = Store(
      initialState: Pair(),
      reducer: CombineReducers<Pair, Action> {
        Scope(state: \Pair.left, action: /Action.left) { LevelReducer() }
        Scope(state: \Pair.right, action: /Action.right) { LevelReducer() }
      })
    store.send(.left(.add))
    store.send(.right(.add))
    store.send(.right(.add))
    #expect([store.state.left.count, store.state.right.count] == [1, 2])
  }
}
