@_spi(Host) import AppCore
import TestSupport
import Testing

@Home
@Suite("Scoped stores")
struct StoreScopeTests {
  @Test("A send through two scopes is one send to the root, and one call of its reducer")
  func oneSend() {
    let store = Family.store()
    let middle = store.scope(state: \.middle, action: /Family.Action.middle)
    let leaf = middle.scope(state: \.leaf, action: /Family.Middle.Action.leaf)
    var turns = 0
    store.onSettledActions { turns += 1 }
    leaf.send(.addTapped)
    #expect(leaf.state.count == 1)
    #expect(middle.state.leaf.count == 1)
    #expect(store.state.reduced == 1)
    #expect(turns == 1)
    middle.send(.leaf(.view(.addTapped)))
    #expect(leaf.state.count == 2)
    #expect(store.state.reduced == 2)
    #expect(turns == 2)
  }

  @Test("However many scopes lie between, the cost of a send is one action")
  func manyScopes() {
    var store = Family.store()
    let same = CasePath<Family.Action, Family.Action>(embed: { $0 }, extract: { $0 })
    for _ in 0..<200 { store = store.scope(state: \.self, action: same) }
    store.send(.nothing)
    #expect(store.state.reduced == 1)
  }

  @Test("Optional, presented and identified children, stack elements and cases have stores")
  func kinds() throws {
    let root = Family.store()
    let store = root.scope(state: \.middle, action: /Family.Action.middle)
    typealias Action = Family.Middle.Action
    #expect(store.scope(state: \.optional, action: /Action.optional) == nil)
    #expect(store.scope(state: \.$presented, action: /Action.presented) == nil)
    #expect(store.scope(id: 3, state: \.rows, action: /Action.rows) == nil)
    store.send(.fill)
    let stack = try #require(store.state.path.ids.first)
    let optional = store.scope(state: \.optional, action: /Action.optional)
    let presented = store.scope(state: \.$presented, action: /Action.presented)
    let row = store.scope(id: 4, state: \.rows, action: /Action.rows)
    let element = store.scope(id: stack, state: \.path, action: /Action.path)
    let round = root.scope(
      state: CasePath<Family.State, Family.Leaf.State>(
        embed: { Family.State(shape: .round($0)) },
        extract: { if case .round(let leaf) = $0.shape { leaf } else { nil } }),
      action: /Family.Action.shape)
    let leaves = [optional, presented, row, element, round].compactMap(\.self)
    #expect(leaves.map(\.state.id) == [1, 2, 4, 5, 9])
    for leaf in leaves { leaf.send(.addTapped) }
    #expect(leaves.map(\.state.count) == [1, 1, 1, 1, 1])
    #expect(store.state.rows[id: 3]?.count == 0)
    #expect(root.state.reduced == 6)
  }

  @Test("A store of a child that is gone shows its last state, read or not, however it went")
  func lastState() throws {
    let root = Family.store()
    let store = root.scope(state: \.middle, action: /Family.Action.middle)
    for (end, isCopied) in [(Family.Middle.Action.presented(.dismiss), false), (.empty, true)] {
      store.send(.fill)
      let scoped = [0, 1].map { _ in
        store.scope(state: \.$presented, action: /Family.Middle.Action.presented)
      }
      let (leaf, other) = (try #require(scoped[0]), try #require(scoped[1]))
      leaf.send(.addTapped)
      // Another child takes its place.
      store.send(.fill)
      leaf.send(.addTapped)
      leaf.send(.addTapped)
      // Copied, so that the child's box is another one with the next change.
      let copy = store.state
      leaf.send(.addTapped)
      var parent = isCopied ? store.state : nil
      store.send(end)
      #expect(store.state.presented == nil)
      #expect(parent?.presented?.count == (isCopied ? 3 : nil))
      parent = nil
      #expect([leaf.state.count, other.state.count, copy.presented?.count] == [3, 3, 2])
    }
  }

  @Test("The last state is the store's own, whatever became of copies of its state")
  func lastStateOfCopies() throws {
    typealias Action = Family.Middle.Action
    typealias Change = (inout Family.Middle.State) -> Void
    /// What is done with a copy before the store's child goes, and before its last state is read.
    let rows: [(before: Change, after: Change)] =
      [
        ({ $0.presented?.count = 50 }, { _ in }),
        ({ $0.presented?.count = 50 }, { $0.presented = nil }),
        ({ _ in }, { $0.presented?.count = 50 }),
        ({ $0.presented = nil }, { _ in }),
        (
          {
            $0.presented?.count = 50
            $0.presented = nil
          }, { _ in }
        ),
        ({ $0.presented = Family.Leaf.State(id: 2, count: 50) }, { $0.presented = nil }),
      ]
    for end in [Action.presented(.dismiss), .empty] {
      for (number, row) in rows.enumerated() {
        for isReleased in [false, true] {
          let store = Family.store().scope(state: \.middle, action: /Family.Action.middle)
          store.send(.fill)
          let scoped = store.scope(state: \.$presented, action: /Action.presented)
          let leaf = try #require(scoped)
          leaf.send(.addTapped)
          var copy: Family.Middle.State? = store.state
          if var changed = copy {
            row.before(&changed)
            copy = isReleased ? nil : changed
          }
          store.send(end)
          if var changed = copy {
            copy = nil
            row.after(&changed)
          }
          #expect(leaf.state.count == 1, "\(end), row \(number), released before: \(isReleased)")
        }
      }
    }
  }

  @Test("A child that comes back in a copy of the state goes with its latest state")
  func lastStateOfRestored() throws {
    struct Whole { @Presented var leaf: Family.Leaf.State? = Family.Leaf.State(id: 1) }
    enum Action: ComponentAction {
      case leaf(PresentationAction<Family.Leaf.Action>)
      case change(@Sendable (inout Whole) -> Void)
    }
    let reducer = CombineReducers<Whole, Action> {
      Reduce<Whole, Action> { state, action in
        if case .change(let change) = action { change(&state) }
        return .none
      }
      .ifLet(\.$leaf, action: /Action.leaf) { Family.Leaf(gate: nil) }
    }
    let store = Store(initialState: Whole(), reducer: reducer)
    let scoped = store.scope(state: \.$leaf, action: /Action.leaf)
    let leaf = try #require(scoped)
    leaf.send(.addTapped)
    let saved = store.state
    leaf.send(.addTapped)
    store.send(.leaf(.dismiss))
    #expect(leaf.state.count == 2)
    store.send(.change { $0 = saved })
    #expect(leaf.state.count == 1)
    store.send(.change { $0 = Whole(leaf: nil) })
    #expect(leaf.state.count == 1)
    store.send(.change { $0 = saved })
    leaf.send(.addTapped)
    leaf.send(.addTapped)
    store.send(.change { $0 = Whole(leaf: nil) })
    #expect(leaf.state.count == 3)
    #expect(saved.leaf?.count == 1)
  }

  @Test("A scoped store holds no copy: what was read through it is changed in place")
  func inPlace() throws {
    struct Child { var numbers = Array(repeating: 0, count: 1_000) }
    struct Whole {
      var always = Child()
      @Presented var presented: Child? = Child()
    }
    enum Action: ComponentAction { case always(Note), presented(PresentationAction<Note>) }
    let child = Reduce<Child, Note> { state, action in
      if case .took(let number) = action { state.numbers[0] = number }
      return .none
    }
    let reducer = CombineReducers<Whole, Action> {
      Scope(state: \Whole.always, action: /Action.always) { child }
      EmptyReducer<Whole, Action>().ifLet(\.$presented, action: /Action.presented) { child }
    }
    @Sendable func address(_ store: Store<Child, Note>) -> UnsafeRawPointer? {
      store.state.numbers.withUnsafeBytes { $0.baseAddress }
    }
    let store = Store(initialState: Whole(), reducer: reducer)
    let always = store.scope(state: \.always, action: /Action.always)
    let scoped = store.scope(state: \.$presented, action: /Action.presented)
    let presented = try #require(scoped)
    // The first change may copy what the initial state shares with others.
    always.send(.took(-1))
    presented.send(.took(-1))
    for child in [always, presented] {
      let before = address(child)
      for number in 0..<10 {
        child.send(.took(number))
        #expect(child.state.numbers[0] == number)
      }
      #expect(address(child) == before)
    }
  }

  @Test(
    "Three thousand scopes within each other are made, read, sent through and let go of",
    .notThreadSanitized("nests more than 65,536 calls"))
  @DeepHome func deepScopes() throws {
    // Each new one looks through those around it whether its child is there.
    let depth = 3_000
    var store = Store(deep: Level.nested(depth), reducer: Level.reducer)
    let root = store
    for _ in 0..<depth {
      let scoped = store.scope(state: \.$next, action: /Level.Action.next)
      store = try #require(scoped)
    }
    store.send(.add)
    #expect(store.state.count == 1)
    #expect(root.state.counts(from: depth) == [1])
  }

  @Test("A store whose child is gone stays valid, and reports once what it is sent")
  func gone() throws {
    let reports = try reported {
      let root = Family.store()
      let store = root.scope(state: \.middle, action: /Family.Action.middle)
      store.send(.fill)
      let scoped = store.scope(
        state: \.optional, action: /Family.Middle.Action.optional, fileID: "Family.swift", line: 7
      )
      let leaf = try #require(scoped)
      let count = leaf.scope(
        state: \.count,
        action: CasePath<Family.Leaf.Action, Note>(
          embed: { _ in .view(.addTapped) }, extract: { _ in nil }))
      leaf.send(.addTapped)
      #expect(leaf.state.count == 1)
      #expect(count.state == 1)
      store.send(.empty)
      #expect(leaf.state.count == 1)
      #expect(count.state == 1)
      let reduced = root.state.reduced
      leaf.send(.addTapped)
      leaf.send(.addTapped)
      #expect(root.state.reduced == reduced)
      #expect(leaf.scope(state: \.id, action: /Family.Leaf.Action.internal).state == 1)
      store.send(.fill)
      leaf.send(.addTapped)
      #expect(leaf.state.count == 1)
    }
    let report = try #require(reports.first)
    #expect(reports.count == 1)
    #expect(
      report.hasPrefix(
        "scope at Family.swift:7: a store of a child that is gone "
          + "was sent an action; this one and further ones are dropped\n"
          + "  action: .view(.addTapped)\n  - "))
  }

  @Test("A scoped store keeps its root, and a root does not keep its scopes")
  func lifetime() async {
    weak var weakRoot: StoreOf<Family>?
    weak var weakMiddle: StoreOf<Family.Middle>?
    let gate = Gate()
    let count = LifeCount()
    var leaf: StoreOf<Family.Leaf>?
    do {
      let root = Family.store(gate: gate)
      let middle = root.scope(state: \.middle, action: /Family.Action.middle)
      leaf = middle.scope(state: \.leaf, action: /Family.Middle.Action.leaf)
      let counted = Counted(0, count)
      // An observer in the root that holds what the test counts.
      _ = counted
      weakRoot = root
      weakMiddle = middle
    }
    #expect(weakRoot == nil && weakMiddle == nil)
    leaf?.send(.addTapped)
    #expect(leaf?.state.count == 1)
    let task = leaf?.send(.waitTapped)
    leaf = nil
    // Nobody holds the root now: its effects are cancelled.
    await task?.finish()
    #expect(count.alive == 0)
  }
}
