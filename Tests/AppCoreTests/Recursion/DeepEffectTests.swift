@_spi(Host) import AppCore
import TestSupport
import Testing

@Suite(
  "Effects of deeply nested children", .timeLimit(.minutes(5)),
  .notSanitized("a sanitizer's frames are too long for 100,000 levels"))
struct DeepEffectTests {
  struct Nest: Reducer {
    struct State: Sendable {
      var count = 0
      @Presented var child: State?
      init(child: State? = nil) { self.child = child }

      static func nested(_ depth: Int) -> State {
        var state = State()
        for _ in 0..<depth { state = State(child: state) }
        return state
      }

      var bottom: Int {
        var level = self
        while let child = level.child { level = child }
        return level.count
      }
    }

    indirect enum Action: ComponentAction {
      case run
      case send
      case add
      case child(PresentationAction<Action>)

      static func at(_ depth: Int, _ action: Action) -> Action {
        (0..<depth).reduce(action) { action, _ in .child(.presented(action)) }
      }
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .run: return .run { send in await send(.add) }
        case .send: return .send(.add)
        case .add: state.count += 1
        case .child: break
        }
        return .none
      }
      .ifLet(\.$child, action: /Action.child) { Self() }
    }
  }

  @Test("At 100,000 levels they run on the store's own thread, several of one child too")
  func deep() async {
    let depth = 100_000
    let count = await Home.run { home in
      let store = Store(
        initialState: Nest.State.nested(depth), reducer: Nest(), isolation: home)
      await store.send(Nest.Action.at(depth, .send)).finish()
      for _ in 0..<3 { await store.send(Nest.Action.at(depth, .run)).finish() }
      return store.state.bottom
    }
    #expect(count == 4)
  }

  @Test("On a small stack they are dropped and reported; the process continues")
  func dropped() async {
    let reports = Reports()
    let bottom = await reports.collect {
      await Small.run { small in
        let store = Store(
          initialState: Nest.State.nested(6_000), reducer: Nest(), isolation: small)
        await store.send(Nest.Action.at(6_000, .run)).finish()
        await store.send(Nest.Action.at(6_000, .send)).finish()
        return store.state.bottom
      }
    }
    #expect(bottom == 0)
    #expect(!reports.all.isEmpty)
    #expect(reports.all.allSatisfy { $0.contains("nested deeper than this thread's stack allows") })
  }

  /// An actor on a thread with a stack of 8 MiB, as a main thread has.
  private actor Small {
    private let thread = StoreThread(name: "small", stackSize: 8 << 20)
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    static func run<Result: Sendable>(
      _ body: @Sendable (isolated Small) async -> Result
    ) async -> Result {
      await body(Small())
    }
  }
}
