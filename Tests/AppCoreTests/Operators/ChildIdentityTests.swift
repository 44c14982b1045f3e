import AppCore
import Testing

/// Effects of a child end with it, whoever let go of it, and never reach the next one.
@Suite("Whose effects end", .timeLimit(.minutes(1)))
struct ChildIdentityTests {
  struct Child: Reducer {
    struct State: Equatable, Sendable { var heard: [String] = [] }
    enum Action: ComponentAction { case begin(String), answered(String) }
    let gate: Gate
    let log: Log

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .begin(let name):
        let (gate, log) = (gate, log)
        return .run { send in
          try? await gate.wait()
          log.add(Task.isCancelled ? "\(name) cancelled" : "\(name) answers")
          await send(.answered(name))
        }
      case .answered(let name):
        state.heard.append(name)
        return .none
      }
    }
  }

  struct Item: Identifiable, Equatable, Sendable {
    var id: Int
    var child = Child.State()
  }

  enum Destination: Equatable {
    case item(Item)
    case plain(Child.State)
  }

  struct Inner: Reducer {
    struct State {
      @Presented var presented: Child.State?
      @Presented var destination: Destination?
      var path = StackState<Child.State>()
      var optional: Item?
      var destinationCase = Destination.item(Item(id: 1))
      var rows: IdentifiedArray<Item> = []
    }
    enum DestinationAction: ComponentAction { case item(Child.Action), plain(Child.Action) }
    enum Action: ComponentAction {
      case presented(PresentationAction<Child.Action>)
      case destination(PresentationAction<DestinationAction>)
      case path(StackAction<Child.State, Child.Action>)
      case optional(Child.Action)
      case destinationCase(Child.Action)
      case rows(IdentifiedAction<Int, Child.Action>)
    }
    let child: Child

    var body: some ReducerOf<Self> {
      EmptyReducer<State, Action>()
        .ifLet(\.$presented, action: /Action.presented) { child }
        .ifLet(\.$destination, action: /Action.destination) {
          EmptyReducer<Destination, DestinationAction>()
            .ifCaseLet(/Destination.item, action: /DestinationAction.item) {
              Scope(state: \.child, action: CasePath(embed: { $0 }, extract: { $0 })) { child }
            }
            .ifCaseLet(/Destination.plain, action: /DestinationAction.plain) { child }
        }
        .forEach(\.path, action: /Action.path) { child }
        .ifLet(\.optional, action: /Action.optional) {
          Scope(state: \.child, action: CasePath(embed: { $0 }, extract: { $0 })) { child }
        }
        .forEach(\.rows, action: /Action.rows) {
          Scope(state: \.child, action: CasePath(embed: { $0 }, extract: { $0 })) { child }
        }
      Scope(state: \.destinationCase, action: /Action.destinationCase) {
        EmptyReducer<Destination, Child.Action>()
          .ifCaseLet(/Destination.item, action: CasePath(embed: { $0 }, extract: { $0 })) {
            Scope(state: \.child, action: CasePath(embed: { $0 }, extract: { $0 })) { child }
          }
      }
    }
  }

  /// Changes what is inside another reducer, behind its back.
  struct Outer: Reducer {
    struct State {
      var inner = Inner.State()
      var count = 0
    }
    enum Action: ComponentAction {
      case inner(Inner.Action)
      case change(@Sendable (inout Inner.State) -> Void)
      case nothing
    }
    let child: Child

    var body: some ReducerOf<Self> {
      Scope(state: \.inner, action: /Action.inner) { Inner(child: child) }
      Reduce { state, action in
        state.count += 1
        if case .change(let change) = action { change(&state.inner) }
        return .none
      }
    }
  }

  /// Starts an effect of a child, has another reducer change what is there, and lets the effect
  /// answer.
  private func answers(
    _ set: @escaping @Sendable (inout Inner.State) -> Void, begin: Inner.Action,
    _ change: @escaping @Sendable (inout Inner.State) -> Void,
    heard: @escaping @Sendable (Inner.State) -> [String]
  ) async -> [[String]] {
    await Home.run { home in
      let (gate, log) = (Gate(), Log())
      let store = Store(
        initialState: Outer.State(), reducer: Outer(child: Child(gate: gate, log: log)),
        isolation: home)
      store.send(.change(set))
      let task = store.send(.inner(begin))
      store.send(.change(change))
      gate.open()
      await task.finish()
      return [log.lines, heard(store.state.inner)]
    }
  }

  @Test("A presented child that another reducer replaced: its effect reaches nobody")
  func presented() async {
    let result = await answers(
      { $0.presented = Child.State() }, begin: .presented(.presented(.begin("old"))),
      {
        $0.presented = nil
        $0.presented = Child.State()
      }, heard: { $0.presented?.heard ?? ["gone"] })
    #expect(result == [["old answers"], []])
  }

  @Test("A presented child that was assigned anew is another one; changed in place it stays")
  func fresh() async {
    let replaced = await answers(
      { $0.presented = Child.State() }, begin: .presented(.presented(.begin("old"))),
      { $0.presented = Child.State(heard: ["new"]) }, heard: { $0.presented?.heard ?? ["gone"] })
    #expect(replaced[1] == ["new"])
    let changed = await answers(
      { $0.presented = Child.State() }, begin: .presented(.presented(.begin("old"))),
      { $0.presented?.heard.append("changed") }, heard: { $0.presented?.heard ?? ["gone"] })
    #expect(changed[1] == ["changed", "old"])
  }

  @Test("A whole parent that is replaced takes the effects of its children with it")
  func wholeParent() async {
    let result = await answers(
      { $0.presented = Child.State() }, begin: .presented(.presented(.begin("old"))),
      {
        $0 = Inner.State()
        $0.presented = Child.State()
      }, heard: { $0.presented?.heard ?? ["gone"] })
    #expect(result[1] == [])
  }

  @Test("An enum that stays in its case, with another identifier in it, is another child")
  func destination() async {
    @Sendable func item(_ state: Inner.State) -> [String] {
      if case .item(let item)? = state.destination { item.child.heard } else { ["gone"] }
    }
    let replaced = await answers(
      { $0.destination = .item(Item(id: 1)) },
      begin: .destination(.presented(.item(.begin("old")))),
      { $0.destination = .item(Item(id: 2)) }, heard: item)
    #expect(replaced[1] == [])
    let same = await answers(
      { $0.destination = .item(Item(id: 1)) },
      begin: .destination(.presented(.item(.begin("old")))),
      { $0.destination = .item(Item(id: 1)) }, heard: item)
    #expect(same[1] == ["old"])
  }

  @Test("An optional child with another identifier is another child")
  func optional() async {
    let replaced = await answers(
      { $0.optional = Item(id: 1) }, begin: .optional(.begin("old")),
      { $0.optional = Item(id: 2) }, heard: { $0.optional?.child.heard ?? ["gone"] })
    #expect(replaced[1] == [])
    let same = await answers(
      { $0.optional = Item(id: 1) }, begin: .optional(.begin("old")),
      { $0.optional = Item(id: 1) }, heard: { $0.optional?.child.heard ?? ["gone"] })
    #expect(same[1] == ["old"])
  }

  @Test("A case with another identifier in it is another child")
  func caseLet() async {
    @Sendable func item(_ state: Inner.State) -> [String] {
      if case .item(let item) = state.destinationCase { item.child.heard } else { ["gone"] }
    }
    let replaced = await answers(
      { _ in }, begin: .destinationCase(.begin("old")),
      { $0.destinationCase = .item(Item(id: 2)) }, heard: item)
    #expect(replaced[1] == [])
    let same = await answers(
      { _ in }, begin: .destinationCase(.begin("old")), { _ in }, heard: item)
    #expect(same[1] == ["old"])
  }

  @Test("A stack that another reducer replaced: the identifiers are the same, the elements not")
  func stack() async {
    let id = StackState([Child.State()]).ids[0]
    let replaced = await answers(
      { $0.path = [Child.State()] }, begin: .path(.element(id: id, action: .begin("old"))),
      { $0.path = [Child.State()] }, heard: { $0.path.first?.heard ?? ["gone"] })
    #expect(replaced[1] == [])
    let pushed = await answers(
      { $0.path = [Child.State()] }, begin: .path(.element(id: id, action: .begin("old"))),
      { $0.path.append(Child.State()) }, heard: { $0.path.first?.heard ?? ["gone"] })
    #expect(pushed[1] == ["old"])
  }

  @Test("The effects of a child that is gone end with the next action through its operator")
  func ends() async {
    await Home.run { home in
      let (gate, log) = (Gate(), Log())
      let store = Store(
        initialState: Outer.State(), reducer: Outer(child: Child(gate: gate, log: log)),
        isolation: home)
      store.send(.change { $0.presented = Child.State() })
      store.send(.change { $0.rows = [Item(id: 1), Item(id: 2)] })
      let presented = store.send(.inner(.presented(.presented(.begin("presented")))))
      let row = store.send(.inner(.rows(.element(id: 1, action: .begin("row")))))
      let kept = store.send(.inner(.rows(.element(id: 2, action: .begin("kept")))))
      store.send(.change { $0.presented = nil })
      store.send(.change { $0.rows.remove(id: 1) })
      store.send(.inner(.rows(.element(id: 2, action: .answered("next")))))
      await presented.finish()
      await row.finish()
      #expect(Set(log.lines) == ["presented cancelled", "row cancelled"])
      #expect(!kept.hasEnded)
      gate.open()
      await kept.finish()
      #expect(log.lines.last == "kept answers")
    }
  }
}
