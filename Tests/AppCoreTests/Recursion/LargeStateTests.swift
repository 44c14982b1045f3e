import AppCore
import Testing

/// A state far larger than a small stack, presented inside itself.
///
/// The type is made at run time: written out, with its 100,000 fields, it would keep the compiler
/// busy for minutes.
@Suite("A state of 1.6 MB inline", .timeLimit(.minutes(5)))
struct LargeStateTests {
  private static let depth = 20

  @Test("It is 100,000 strings of 16 bytes, in structs of ten")
  func size() {
    #expect(Self.bytes(Self.type) == 1_600_000)
  }

  @Test("Presented 20 deep, it is changed at the bottom and let go of from the top")
  func presented() async {
    await Home.run { home in
      #expect(Self.nested(Self.type, on: home) == [1, 0])
    }
  }

  @Test("On a stack of 512 KiB it is let go of, having been made where there is room")
  func released() async {
    let parcel = await Home.run { _ in Parcel(content: Self.make(Self.type)) }
    let isGone = await onSmallStack {
      parcel.content = nil
      return parcel.content == nil
    }
    #expect(isGone)
  }

  @Test("On a stack of 512 KiB it is changed, read, scoped and dismissed where it is")
  func used() async {
    let parcel = await Home.run { _ in Parcel(state: Self.makePresented(Self.type)) }
    let counts = await onSmallStack { Self.use(Self.type, parcel) }
    #expect(counts == [10, 11, 12, 12, nil, 12])
  }

  /// A parent of a child of this size.
  private static func makePresented<Content: Large>(_ type: Content.Type) -> any Sendable {
    var state = Frame<Content>.State()
    state.child = Frame<Content>.Child.State()
    return state
  }

  /// What the child's count is after each of several steps.
  private static func use<Content: Large>(_ type: Content.Type, _ parcel: Parcel) -> [Int?] {
    typealias Action = Frame<Content>.Action
    guard let state = parcel.state as? Frame<Content>.State else { return [] }
    parcel.state = nil
    let store = Store(initialState: state, reducer: Frame<Content>(), isolation: NoActor())
    var counts: [Int?] = []
    store.send(.touch)
    counts.append(store.state.$child.read(\.count))
    store.send(.child(.presented(.add)))
    counts.append(store.state.$child.read(\.count))
    guard let child = store.scope(state: \.$child, action: /Action.child) else { return counts }
    child.send(.add)
    counts.append(store.state.$child.read(\.count))
    counts.append(child.read(\.count))
    store.send(.child(.dismiss))
    counts.append(store.state.$child.read(\.count))
    counts.append(child.read(\.count))
    return counts
  }

  /// Nothing runs on it: what it isolates stays on the thread that made it.
  private actor NoActor {}

  private final class Parcel: @unchecked Sendable {
    // Unchecked: handed on, and never held by two.
    var content: (any Large)?
    var state: (any Sendable)?
    init(content: any Large) { self.content = content }
    init(state: any Sendable) { self.state = state }
  }

  /// `Ten` five times around `String`.
  private static var type: any Large.Type {
    var type: any Large.Type = String.self
    for _ in 0..<5 { type = around(type) }
    return type
  }

  private static func around<Part: Large>(_ part: Part.Type) -> any Large.Type { Ten<Part>.self }

  private static func bytes<Content: Large>(_ type: Content.Type) -> Int {
    MemoryLayout<Content>.size
  }

  private static func make<Content: Large>(_ type: Content.Type) -> any Large {
    var big = Big<Content>()
    for _ in 1..<depth { big = Big(next: big) }
    return big
  }

  /// The counts at the bottom: after an action to it, and when all is gone.
  private static func nested<Content: Large>(
    _ type: Content.Type, on home: isolated Home
  ) -> [Int] {
    let store = Store(
      initialState: Big<Content>(), reducer: Big<Content>.reducer, isolation: home)
    for level in 0..<depth { store.send(Big<Content>.at(level, .present)) }
    store.send(Big<Content>.at(depth, .add))
    let bottom = store.state.bottom
    store.send(.next(.dismiss))
    return [bottom, store.state.bottom]
  }
}

/// Something large that can be made of nothing.
private protocol Large: Sendable {
  init()
}

extension String: Large {}

private struct Ten<Part: Large>: Large {
  var a, b, c, d, e, f, g, h, i, j: Part

  init() {
    a = Part()
    b = Part()
    c = Part()
    d = Part()
    e = Part()
    f = Part()
    g = Part()
    h = Part()
    i = Part()
    j = Part()
  }
}

/// A parent of one large child.
private struct Frame<Content: Large>: Reducer {
  struct State: Sendable {
    @Presented var child: Child.State?
  }

  enum Action: ComponentAction {
    case touch
    case child(PresentationAction<Child.Action>)
  }

  struct Child: Reducer {
    struct State: Sendable {
      var count = 0
      var content = Content()
    }
    enum Action: ComponentAction { case add }
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.count += 1
      return .none
    }
  }

  var body: some ReducerOf<Self> {
    Reduce<State, Action> { state, action in
      if case .touch = action { state.child?.count += 10 }
      return .none
    }
    .ifLet(\.$child, action: /Action.child) { Child() }
  }
}

private struct Big<Content: Large>: Large {
  var count = 0
  var content = Content()
  @Presented var next: Big?

  init() {}
  init(next: Big) { self.next = next }

  indirect enum Action: ComponentAction {
    case add
    case present
    case next(PresentationAction<Action>)
  }

  static var reducer: some Reducer<Big, Action> {
    Recurse<Big, Action> { itself in
      Reduce<Big, Action> { state, action in
        switch action {
        case .add: state.count += 1
        case .present: state.next = Big()
        case .next: break
        }
        return .none
      }
      .ifLet(\.$next, action: /Action.next) { itself }
    }
  }

  static func at(_ depth: Int, _ action: Action) -> Action {
    (0..<depth).reduce(action) { action, _ in .next(.presented(action)) }
  }

  /// The count of the innermost one.
  var bottom: Int { next?.bottom ?? count }
}
