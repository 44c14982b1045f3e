import AppCore
import Testing

/// Reducers that run before, in and after their children.
@Home
@Suite("Going down to children and up again", .timeLimit(.minutes(30)))
struct DescentTests {
  /// At the bottom.
  struct Leaf: Reducer {
    struct State: Sendable { var log: [String] = [] }

    enum Action: ComponentAction {
      case go
      case noted(String)
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .go: return .send(.noted("leaf"))
      case .noted(let text): state.log.append(text)
      }
      return .none
    }
  }

  struct Middle: Reducer {
    struct State: Sendable {
      var leaf = Leaf.State()
      var log: [String] = []
    }

    enum Action: ComponentAction {
      case leaf(Leaf.Action)
      case noted(String)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .leaf(.go): return .send(.noted("before leaf"))
        case .noted(let text): state.log.append(text)
        default: break
        }
        return .none
      }
      Scope(state: \.leaf, action: /Action.leaf) { Leaf() }
      Reduce { _, action in
        if case .leaf(.go) = action { return .send(.noted("after leaf")) }
        return .none
      }
    }
  }

  struct Root: Reducer {
    struct State: Sendable {
      @Presented var middle: Middle.State?
      var other = Middle.State()
      var log: [String] = []
    }

    enum Action: ComponentAction {
      case middle(PresentationAction<Middle.Action>)
      case other(Middle.Action)
    }

    var body: some ReducerOf<Self> {
      Scope(state: \.other, action: /Action.other) { Middle() }
      Reduce { state, action in
        switch action {
        case .middle(.presented(.noted(let text))): state.log.append(text)
        case .middle(.presented(.leaf(.noted(let text)))): state.log.append(text)
        case .other(.noted(let text)): state.log.append(text)
        case .other(.leaf(.noted(let text))): state.log.append(text)
        default: break
        }
        return .none
      }
      .ifLet(\.$middle, action: /Action.middle) { Middle() }
    }
  }

  @Test("Effects of all levels come, in the order of the reducers")
  func effects() {
    let store = Store(initialState: Root.State(middle: Middle.State()), reducer: Root())
    let expected = ["before leaf", "leaf", "after leaf"]
    store.send(.other(.leaf(.go)))
    #expect(store.state.log == expected)
    store.send(.middle(.presented(.leaf(.go))))
    #expect(store.state.log == expected + expected)
    #expect(store.state.other.log == ["before leaf", "after leaf"])
    #expect(store.state.middle?.leaf.log == ["leaf"])
  }

  final class Token: Sendable {}

  /// Large, and aligned more strictly than memory commonly is.
  struct Load: Sendable {
    var first = SIMD16<Int>(repeating: 1)
    var numbers = InlineArray<1000, Int>(repeating: 7)
    var token: Token
  }

  struct Carrier: Reducer {
    struct State: Sendable {
      var sum = 0
      var token: Token?
    }
    enum Action: ComponentAction { case take(Load, and: Int) }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      guard case .take(let load, let number) = action else { return .none }
      state.sum += number + load.first.wrappedSum() + load.numbers[999]
      state.token = load.token
      return .none
    }
  }

  struct Outer: Reducer {
    struct State: Sendable {
      var small: UInt8 = 0
      var carrier = Carrier.State()
    }

    enum Action: ComponentAction {
      case small(UInt8)
      case carrier(Carrier.Action)
    }

    var body: some ReducerOf<Self> {
      Scope(state: \.carrier, action: /Action.carrier) { Carrier() }
      Reduce { state, action in
        if case .small(let value) = action { state.small = value }
        return .none
      }
    }
  }

  struct Whole: Reducer {
    struct State: Sendable { var outer = Outer.State() }
    enum Action: ComponentAction {
      case outer(Outer.Action)
      case other(String)
    }

    var body: some ReducerOf<Self> {
      Scope(state: \.outer, action: /Action.outer) { Outer() }
    }
  }

  @Test("An action of any size arrives whole, and what it refers to is let go of")
  func load() async {
    let left = await Home.run {
      let token = Token()
      let store = Store(initialState: Whole.State(), reducer: Whole())
      for _ in 0..<3 { store.send(.outer(.carrier(.take(Load(token: token), and: 100)))) }
      store.send(.outer(.small(9)))
      store.send(.other("text"))
      #expect(store.state.outer.carrier.sum == 3 * (100 + 16 + 7))
      #expect(store.state.outer.small == 9)
      #expect(store.state.outer.carrier.token === token)
      return Left(token: token)
    }
    #expect(left.token == nil)
  }

  final class Left: @unchecked Sendable {
    // Unchecked: never written.
    weak var token: Token?
    init(token: Token) { self.token = token }
  }
}
