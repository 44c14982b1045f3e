import AppCore
import Synchronization
import Testing

@Suite("Bodies that contain their own reducer", .timeLimit(.minutes(1)))
struct RecursiveBodyTests {
  /// Presents itself.
  struct Page: Reducer {
    struct State: Sendable {
      var count = 0
      @Presented var next: State?
    }

    indirect enum Action: ComponentAction {
      case add
      case next(PresentationAction<Action>)
    }
    var held: Held?

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if case .add = action { state.count += 1 }
        return .none
      }
      .ifLet(\.$next, action: /Action.next) { Self(held: held) }
    }

    static func nested(_ depth: Int) -> State {
      (0..<depth).reduce(State()) { state, _ in State(next: state) }
    }

    static func at(_ depth: Int, _ action: Action) -> Action {
      (0..<depth).reduce(action) { action, _ in .next(.presented(action)) }
    }
  }

  final class Held: Sendable {}

  @Test("A body has its own reducer in it", arguments: [0, 1, 2, 100, 1000])
  func itself(depth: Int) async {
    await Home.run { home in
      let store = Store(initialState: Page.nested(depth), reducer: Page(), isolation: home)
      store.send(Page.at(depth, .add))
      store.send(Page.at(depth, .add))
      var state = store.state
      for _ in 0..<depth {
        #expect(state.count == 0)
        guard let next = state.next else { return }
        state = next
      }
      #expect(state.count == 2)
    }
  }

  @Test("It is let go of with its last owner")
  func release() async {
    let left = await Home.run { home in
      let held = Held()
      let store = Store(
        initialState: Page.nested(2), reducer: Page(held: held), isolation: home)
      store.send(Page.at(2, .add))
      return Left(held: held)
    }
    #expect(left.held == nil)
  }

  final class Left: @unchecked Sendable {
    // Unchecked: never written.
    weak var held: Held?
    init(held: Held) { self.held = held }
  }

  /// Presents a ``Reply``, which presents a letter.
  struct Letter: Reducer {
    struct State: Sendable {
      var reads = 0
      @Presented var reply: Reply.State?
    }

    indirect enum Action: ComponentAction {
      case read
      case reply(PresentationAction<Reply.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if case .read = action { state.reads += 1 }
        return .none
      }
      .ifLet(\.$reply, action: /Action.reply) { Reply() }
    }
  }

  struct Reply: Reducer {
    struct State: Sendable {
      var reads = 0
      @Presented var letter: Letter.State?
    }

    indirect enum Action: ComponentAction {
      case read
      case letter(PresentationAction<Letter.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if case .read = action { state.reads += 10 }
        return .none
      }
      .ifLet(\.$letter, action: /Action.letter) { Letter() }
    }
  }

  @Test("Two bodies have each other in them")
  func eachOther() async {
    await Home.run { home in
      let state = Letter.State(reply: Reply.State(letter: Letter.State(reply: Reply.State())))
      let store = Store(initialState: state, reducer: Letter(), isolation: home)
      store.send(.reply(.presented(.letter(.presented(.read)))))
      store.send(.reply(.presented(.letter(.presented(.reply(.presented(.read)))))))
      #expect(store.state.reads == 0)
      #expect(store.state.reply?.reads == 0)
      #expect(store.state.reply?.letter?.reads == 1)
      #expect(store.state.reply?.letter?.reply?.reads == 10)
    }
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
  func values(last: Int?) async {
    await Home.run { home in
      let state = (0..<40).reduce(Layer.State()) { state, _ in Layer.State(next: state) }
      let built = Built()
      let reducer = Layer(number: 0, last: last, built: built)
      let store = Store(initialState: state, reducer: reducer, isolation: home)
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
  }

  @Test("Reducers of one type side by side do not count as one in the other")
  func siblings() async {
    struct Pair: Reducer {
      struct State: Sendable {
        var left = Page.State()
        var right = Page.State()
      }

      enum Action: ComponentAction {
        case left(Page.Action)
        case right(Page.Action)
      }

      var body: some ReducerOf<Self> {
        Scope(state: \.left, action: /Action.left) { Page() }
        Scope(state: \.right, action: /Action.right) { Page() }
      }
    }
    await Home.run { home in
      let store = Store(initialState: Pair.State(), reducer: Pair(), isolation: home)
      store.send(.left(.add))
      store.send(.right(.add))
      store.send(.right(.add))
      #expect(store.state.left.count == 1)
      #expect(store.state.right.count == 2)
    }
  }
}
