@_spi(Host) import AppCore
import Testing

@Home
@Suite("Operators for children", .timeLimit(.minutes(30)))
struct ChildOperatorTests {
  private let log = Log()

  private func store(
    _ prepare: @Sendable (inout Parent.State) -> Void = { _ in }
  ) -> StoreOf<Parent> {
    var state = Parent.State()
    prepare(&state)
    return Store(initialState: state, reducer: Parent(log))
  }

  @Test("An action changes the child that it is for, and no other, before the parent sees it")
  func actions() {
    let store = store()
    let actions: [Parent.Action] = [
      .optional(.add), .presented(.presented(.add)), .rows(.element(id: "b", action: .add)),
      .path(.element(id: 1, action: .add)), .place(.desk(.add)),
    ]
    for action in actions { store.send(action) }
    let expected = Parent.State(
      optional: Desk(name: "child", count: 1), presented: Desk(name: "child", count: 1),
      rows: [Seat(name: "a"), Seat(name: "b", count: 1)],
      path: [Desk(name: "a"), Desk(name: "b", count: 1), Desk(name: "c")],
      place: .desk(Desk(name: "child", count: 1)), seen: [1, 3])
    #expect(store.state == expected)
  }

  /// Children that work, an action, and which of them it ends.
  private struct Ending: Sendable {
    let name: String
    var state: @Sendable (inout Parent.State) -> Void = { _ in }
    let work: [Parent.Action]
    let action: Parent.Action
    let ends: [Bool]
  }

  private static let presented: [Parent.Action] = [.presented(.presented(.begin))]
  private static let seat: [Parent.Action] = [.presentedSeat(.presented(.begin))]
  private static let rows = ["a", "b"].map {
    Parent.Action.rows(.element(id: $0, action: .begin))
  }
  private static let path = [0, 1, 2].map { Parent.Action.path(.element(id: $0, action: .begin)) }

  private static let endings = [
    Ending(
      name: "optional, nil", work: [.optional(.begin)], action: .change { $0.optional = nil },
      ends: [true]),
    Ending(
      name: "optional, changed", work: [.optional(.begin)],
      action: .change { $0.optional?.name = "renamed" }, ends: [false]),
    Ending(name: "dismissed", work: presented, action: .presented(.dismiss), ends: [true]),
    Ending(
      name: "presented, nil", work: presented, action: .change { $0.presented = nil },
      ends: [true]),
    Ending(
      name: "presented anew", work: presented,
      action: .change {
        $0.presented = nil
        $0.presented = Desk(name: "new")
      }, ends: [true]),
    Ending(
      name: "presented, assigned anew", work: presented,
      action: .change { $0.presented = Desk(name: "changed") }, ends: [true]),
    Ending(
      name: "presented, changed in place", work: presented,
      action: .change { $0.presented?.name = "changed" }, ends: [false]),
    Ending(
      name: "presented, with its identifier", state: { $0.presentedSeat = Seat(name: "a") },
      work: seat, action: .change { $0.presentedSeat = Seat(name: "a") }, ends: [false]),
    Ending(
      name: "presented, with another identifier", state: { $0.presentedSeat = Seat(name: "a") },
      work: seat, action: .change { $0.presentedSeat = Seat(name: "b") }, ends: [true]),
    Ending(
      name: "row removed", work: rows, action: .change { $0.rows.remove(id: "a") },
      ends: [true, false]),
    Ending(
      name: "as many rows as before", work: rows,
      action: .change { $0.rows = [Seat(name: "b"), Seat(name: "c")] }, ends: [true, false]),
    Ending(name: "popped", work: path, action: .path(.popFrom(id: 1)), ends: [false, true, true]),
    Ending(
      name: "an element dismisses itself, with all above it", work: path,
      action: .path(.element(id: 1, action: .leave)), ends: [false, true, true]),
    Ending(
      name: "a stack with the same identifiers", work: path,
      action: .change { $0.path = [Desk(name: "x"), Desk(name: "y"), Desk(name: "z")] },
      ends: [true, true, true]),
    Ending(
      name: "another case", work: [.place(.desk(.begin))],
      action: .place(.move(.seat(Seat(name: "seat")))), ends: [true]),
    Ending(
      name: "no case", state: { $0.place = .seat(Seat(name: "seat")) },
      work: [.place(.seat(.begin))], action: .place(.move(.none)), ends: [true]),
  ]

  @Test("The effects of a child end when it goes; those of its parent and other children go on")
  func ends() async {
    for ending in Self.endings {
      let store = store(ending.state)
      let own = store.send(.begin)
      let tasks = ending.work.map { store.send($0) }
      await store.send(ending.action).finish()
      for (task, ends) in zip(tasks, ending.ends) where ends { await task.finish() }
      #expect(tasks.map(\.hasEnded) == ending.ends, "\(ending.name)")
      #expect(!own.hasEnded, "\(ending.name)")
      for task in tasks + [own] {
        task.cancel()
        await task.finish()
      }
    }
  }

  @Test("Many elements popped at once end the effects of each")
  func manyPopped() async {
    let store = store { for number in 0..<1_000 { $0.path.append(Desk(name: "\(number)")) } }
    let ids = store.state.path.ids
    let tasks = [3, 500, 1_002].map {
      store.send(.path(.element(id: ids[$0], action: .begin)))
    }
    store.send(.path(.popFrom(id: ids[3])))
    for task in tasks { await task.finish() }
    #expect(store.state.path.count == 3)
    #expect(Set(log.lines.suffix(3)) == ["0 ends", "497 ends", "999 ends"])
  }

  @Test("The parent sees a push and a pop before the stack changes")
  func pushAndPop() {
    let store = store()
    let id = store.state.path.nextID
    store.send(.path(.push(id: id, state: Desk(name: "d"))))
    #expect(store.state.path.map(\.name) == ["a", "b", "c", "d"])
    store.send(.path(.element(id: id, action: .add)))
    #expect(store.state.path[id: id]?.count == 1)
    store.send(.path(.popFrom(id: store.state.path.ids[1])))
    #expect(store.state.path.map(\.name) == ["a"])
    #expect(store.state.path.nextID != id)
    #expect(store.state.seen == [3, 4, 4])
  }

  @Test("Children in two instances of one reducer don't cancel each other")
  func siblings() async {
    enum Both: ComponentAction {
      case left(Parent.Action)
      case right(Parent.Action)
    }
    struct Pair: Sendable { var left = Parent.State(), right = Parent.State() }
    let store = Store(
      initialState: Pair(),
      reducer: CombineReducers<Pair, Both> {
        Scope(state: \Pair.left, action: /Both.left) { Parent(log) }
        Scope(state: \Pair.right, action: /Both.right) { Parent(log) }
      })
    let left = store.send(.left(.optional(.begin)))
    let right = store.send(.right(.optional(.begin)))
    store.send(.left(.change { $0.optional = nil }))
    await left.finish()
    #expect(!right.hasEnded)
    right.cancel()
    await right.finish()
  }

  @Test("A child dismisses itself, and its parent sees it before the child is gone")
  func dismissal() async {
    let reports = await reported {
      let store = store()
      let work = store.send(.presented(.presented(.begin)))
      await store.send(.presented(.presented(.leave))).finish()
      await work.finish()
      #expect(store.state.presented == nil)
      #expect(store.state.dismissals == 1)
    }
    #expect(reports == [])
  }

  @Test("Where nothing is presented, dismissing is reported with the remedy")
  func dismissedByNobody() async {
    let reports = await reported {
      let store = store()
      await store.send(.leave).finish()
      #expect(store.state.presented != nil)
    }
    #expect(reports.begin(with: "'dismiss' was called where nothing is presented\n  - call it"))
  }

  @Test("An effect that a child's action starts in the parent can't dismiss the child")
  func foreignDismissal() async {
    enum Only: ComponentAction { case child(PresentationAction<Work>) }
    let reports = await reported {
      @Dependency(\.dismiss) var dismiss
      let reducer = Reduce<Parent.State, Only> { _, action in
        guard case .child(.presented(.stop)) = action else { return .none }
        return .run { [dismiss] _ in await dismiss() }
      }
      .ifLet(\.$presented, action: /Only.child) {
        Reduce<Desk, Work> { _, action in
          action == .begin ? .run { send in await send(.stop) } : .none
        }
      }
      let store = Store(initialState: Parent.State(), reducer: reducer)
      let task = store.send(.child(.presented(.begin)))
      await task.finish()
      _ = await store.activityAccount.settled(within: .seconds(30))
      #expect(store.state.presented != nil)
    }
    #expect(reports.count == 1)
  }

  @Test("The effects of a presented child know that it is one, and those of a fixed child do not")
  func isPresented() async {
    let child = Reduce<Desk, Work> { desk, action in
      @Dependency(\.isPresented) var isPresented
      if action == .begin { return .run { send in await send(isPresented ? .add : .stop) } }
      desk.count = action == .add ? 1 : -1
      return .none
    }
    let reducer = EmptyReducer<Parent.State, Parent.Action>()
      .ifLet(\.optional, action: /Parent.Action.optional) { child }
      .ifLet(\.$presented, action: /Parent.Action.presented) { child }
    let store = Store(initialState: Parent.State(), reducer: reducer)
    await store.send(.optional(.begin)).finish()
    await store.send(.presented(.presented(.begin))).finish()
    #expect([store.state.optional?.count, store.state.presented?.count] == [-1, 1])
  }

  @Test("A presented child's change copies nothing")
  func inPlace() {
    struct Big: Sendable { @Presented var numbers: [Int]? = Array(0..<1000) }
    enum Only: ComponentAction { case child(PresentationAction<Work>) }
    func address(_ state: Big) -> Int? {
      state.numbers?.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }
    var state = Big()
    let before = address(state)
    let reducer = EmptyReducer<Big, Only>().ifLet(\.$numbers, action: /Only.child) {
      Reduce<[Int], Work> { numbers, _ in
        numbers[0] += 1
        return .none
      }
    }
    for _ in 0..<10 { _ = reducer.reduce(into: &state, action: .child(.presented(.add))) }
    #expect(state.numbers?.first == 10)
    #expect(address(state) == before)
  }

  /// Actions for children that are not there, with how their reports begin.
  private static let absent: [(action: Parent.Action, report: String)] = [
    (
      .optional(.add),
      """
      ifLet at Parent.swift:1: an action came for a child whose state is nil
        action: .optional(.add)
        - the parent let go of the child's state before this action came: let the child's reducer \
      answer first, as this operator does, or ignore the action in the parent
        - an effect of the child still ran: start it in the child, so that it ends with it
        - the action was sent without a child on the screen: show its controls only while it is there
      """
    ),
    (
      .presented(.presented(.add)),
      """
      ifLet at Parent.swift:2: an action came for a child that is not presented
        action: .presented(.presented(.add))
        - the parent let go of the child's state before this action came
      """
    ),
    (
      .presented(.dismiss),
      """
      ifLet at Parent.swift:2: a child was to be dismissed that is not presented
        action: .presented(.dismiss)
      """
    ),
    (
      .rows(.element(id: "x", action: .add)),
      """
      forEach at Parent.swift:3: an action came for an element that is not there
        action: .rows(.element(id: "x", action: .add))
        - the parent removed the element before this action came
        - an effect of the element still ran: start it in the element's reducer, so that it ends with it
      """
    ),
    (
      .path(.element(id: 7, action: .add)),
      """
      forEach at Parent.swift:4: an action came for an element that is not on the stack
        action: .path(.element(id: #7, action: .add))
        - the element was popped before this action came
        - an effect of the element still ran
      """
    ),
    (
      .path(.popFrom(id: 7)),
      "forEach at Parent.swift:4: an element was to be popped that is not on the stack\n"
    ),
    (
      .path(.push(id: 0, state: Desk(name: "again"))),
      """
      forEach at Parent.swift:4: an element was to be pushed whose id is on the stack already
        action: .path(.push(id: #0, state: Desk(name: "again", count: 0)))
        - take the id of a new element from the stack's 'nextID'
      """
    ),
    (
      .place(.desk(.add)),
      """
      ifCaseLet at Door.swift:5: an action came for a child while the state is in another case
        action: .desk(.add)
        - the parent changed the case before this action came
        - an effect of the child still ran: start it in the child, so that it ends with it
      """
    ),
  ]

  @Test(
    "An action for a child that is not there changes nothing and is reported; its parent sees it")
  func absentChildren() {
    for (action, report) in Self.absent {
      let store = store {
        ($0.optional, $0.presented) = (nil, nil)
        $0.place = .seat(Seat(name: "seat"))
      }
      var expected = store.state
      let reports = reported { store.send(action) }
      #expect(reports.begin(with: report), "\(reports)")
      switch action {
      case .optional: expected.seen = [nil]
      case .path: expected.seen = [3]
      case .presented(.dismiss): expected.dismissals = 1
      default: break
      }
      #expect(store.state == expected, "\(action)")
    }
  }

  @Test("A report names the line the operator is written in")
  func place() {
    let line = #line + 2
    let reducer = EmptyReducer<Parent.State, Parent.Action>()
      .ifLet(\.optional, action: /Parent.Action.optional) { Worker<Desk>(log) }
    let reports = reported {
      var state = Parent.State(optional: nil)
      _ = reducer.reduce(into: &state, action: .optional(.add))
    }
    #expect(reports.begin(with: "ifLet at AppCoreTests/ChildOperatorTests.swift:\(line): "))
  }

  @Test("Scope over a case runs the child in it, and reports an action in another case")
  func scope() {
    let line = #line + 2
    let reducer = CombineReducers<Parent.Place, Parent.PlaceAction> {
      Scope(state: /Parent.Place.desk, action: /Parent.PlaceAction.desk) { Worker<Desk>(log) }
    }
    let reports = reported {
      var state = Parent.Place.desk(Desk(name: "a"))
      _ = reducer.reduce(into: &state, action: .desk(.add))
      #expect(state == .desk(Desk(name: "a", count: 1)))
      state = .none
      _ = reducer.reduce(into: &state, action: .desk(.add))
      #expect(state == .none)
    }
    #expect(reports.count == 1)
    #expect(reports[0].contains("AppCoreTests/ChildOperatorTests.swift:\(line): "))
  }
}
