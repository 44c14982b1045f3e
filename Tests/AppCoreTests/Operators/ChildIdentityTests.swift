import AppCore
import Testing

/// Effects of a child end with it, whoever let go of it, and never reach the next one.
@Home
@Suite("Whose effects end", .timeLimit(.minutes(30)))
struct ChildIdentityTests {
  /// Changes what is inside another reducer, behind its back.
  private struct Outer: Reducer {
    struct State { var parent = Parent.State() }
    enum Action: ComponentAction {
      case parent(Parent.Action)
      case change(@Sendable (inout Parent.State) -> Void)
    }
    let log = Log()
    let gate = Gate()

    var body: some ReducerOf<Self> {
      Scope(state: \.parent, action: /Action.parent) { Parent(log, gate: gate) }
      Reduce { state, action in
        if case .change(let change) = action { change(&state.parent) }
        return .none
      }
    }
  }

  /// What is set, the child that is asked then, what another reducer changes before it answers, and
  /// what the children have counted afterwards.
  private struct Row: Sendable {
    let name: String
    var set: @Sendable (inout Parent.State) -> Void = { _ in }
    let ask: Parent.Action
    let change: @Sendable (inout Parent.State) -> Void
    let total: Int
  }

  private static let rows = [
    Row(
      name: "presented anew", ask: .presented(.presented(.ask)),
      change: {
        $0.presented = nil
        $0.presented = Desk(name: "new")
      }, total: 0),
    Row(
      name: "presented, and assigned anew", ask: .presented(.presented(.ask)),
      change: { $0.presented = Desk(name: "new", count: 5) }, total: 5),
    Row(
      name: "presented, and changed in place", ask: .presented(.presented(.ask)),
      change: { $0.presented?.count = 5 }, total: 6),
    Row(
      name: "presented, in a parent that is replaced", ask: .presented(.presented(.ask)),
      change: { $0 = Parent.State() }, total: 0),
    Row(
      name: "destination with another identifier", set: { $0.sheet = .seat(Seat(name: "1")) },
      ask: .sheet(.presented(.seat(.ask))), change: { $0.sheet = .seat(Seat(name: "2")) }, total: 0),
    Row(
      name: "destination with the same identifier", set: { $0.sheet = .seat(Seat(name: "1")) },
      ask: .sheet(.presented(.seat(.ask))), change: { $0.sheet = .seat(Seat(name: "1")) }, total: 1),
    Row(
      name: "optional with another identifier", set: { $0.optionalSeat = Seat(name: "1") },
      ask: .optionalSeat(.ask), change: { $0.optionalSeat = Seat(name: "2") }, total: 0),
    Row(
      name: "optional with the same identifier", set: { $0.optionalSeat = Seat(name: "1") },
      ask: .optionalSeat(.ask), change: { $0.optionalSeat = Seat(name: "1") }, total: 1),
    Row(
      name: "case with another identifier", set: { $0.place = .seat(Seat(name: "1")) },
      ask: .place(.seat(.ask)), change: { $0.place = .seat(Seat(name: "2")) }, total: 0),
    Row(
      name: "case that stays", set: { $0.place = .seat(Seat(name: "1")) },
      ask: .place(.seat(.ask)), change: { _ in }, total: 1),
    Row(
      name: "stack with the same identifiers", ask: .path(.element(id: 0, action: .ask)),
      change: { $0.path = [Desk(name: "a")] }, total: 0),
    Row(
      name: "stack with one element more", ask: .path(.element(id: 0, action: .ask)),
      change: { $0.path.append(Desk(name: "d")) }, total: 1),
  ]

  @Test("An effect answers the child that began it, wherever another reducer changes it, or nobody")
  func answers() async {
    for row in Self.rows {
      let outer = Outer()
      let store = Store(initialState: Outer.State(), reducer: outer)
      store.send(.change(row.set))
      let task = store.send(.parent(row.ask))
      store.send(.change(row.change))
      outer.gate.open()
      await task.finish()
      #expect(outer.log.lines.map { $0.hasSuffix(" answers") } == [true], "\(row.name)")
      #expect(store.state.parent.total == row.total, "\(row.name)")
    }
  }

  @Test("An effect never answers an element with the same identifier on a saved copy of its stack")
  func savedStack() async {
    for isSeen in [false, true] {
      let outer = Outer()
      let store = Store(initialState: Outer.State(), reducer: outer)
      let saved = store.state.parent.path
      let kept = store.send(.parent(.path(.element(id: saved.ids[0], action: .ask))))
      store.send(.change { $0.path.append(Desk(name: "old", count: 10)) })
      let id = saved.nextID
      let old = store.send(.parent(.path(.element(id: id, action: .ask))))
      store.send(
        .change {
          $0.path = saved
          $0.path.append(Desk(name: "new", count: 20))
        })
      #expect(store.state.parent.path.ids.last == id)
      if isSeen { store.send(.parent(.path(.element(id: id, action: .add)))) }
      outer.gate.open()
      await old.finish()
      await kept.finish()
      #expect(store.state.parent.path[id: id]?.count == (isSeen ? 21 : 20))
      #expect(store.state.parent.path[0].count == saved[0].count + 1)
    }
  }

  @Test("An effect never answers an element with the same identifier added to a saved copy of rows")
  func savedRows() async {
    for isOutside in [false, true] {
      let outer = Outer()
      let store = Store(initialState: Outer.State(), reducer: outer)
      let saved = store.state.parent.rows
      let kept = store.send(.parent(.rows(.element(id: "a", action: .ask))))
      store.send(.parent(.change { $0.rows.append(Seat(name: "x", count: 10)) }))
      let old = store.send(.parent(.rows(.element(id: "x", action: .ask))))
      if isOutside {
        store.send(.change { $0.rows = saved })
        store.send(.parent(.rows(.element(id: "b", action: .add))))
      } else {
        store.send(.parent(.change { $0.rows = saved }))
      }
      store.send(.parent(.change { $0.rows.append(Seat(name: "x", count: 20)) }))
      outer.gate.open()
      await old.finish()
      await kept.finish()
      #expect(outer.log.lines.contains("x is cancelled"))
      #expect(store.state.parent.rows[id: "x"]?.count == 20)
      #expect(store.state.parent.rows[id: "a"]?.count == 1)
    }
  }

  /// Emits two delegate actions at once.
  private struct Child: Reducer {
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case tapped }
      enum Delegate: Codable, Sendable { case first, second }
      case view(View)
      case delegate(Delegate)
    }

    func reduce(into count: inout Int, action: Action) -> Effect<Action> {
      .merge(.send(.delegate(.first)), .send(.delegate(.second)))
    }
  }

  /// Notes what its child emits, and removes it at the first if it is to.
  private struct Middle: Reducer {
    struct State: Sendable {
      var child: Int? = 0
      var removesChild = false
      var seen: [Child.Action.Delegate] = []
    }
    enum Action: ComponentAction { case child(Child.Action) }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        guard case .child(.delegate(let emitted)) = action else { return .none }
        state.seen.append(emitted)
        if state.removesChild { state.child = nil }
        return .none
      }
      .ifLet(\.child, action: /Action.child) { Child() }
    }
  }

  private struct Top: Reducer {
    struct State {
      var fixed = Middle.State()
      @Presented var presented: Middle.State? = Middle.State()
    }
    enum Action: ComponentAction {
      case fixed(Middle.Action)
      case presented(PresentationAction<Middle.Action>)
    }

    var body: some ReducerOf<Self> {
      Scope(state: \.fixed, action: /Action.fixed) { Middle() }
      Reduce { state, action in
        switch action {
        case .fixed(.child(.delegate)): state.fixed.child = nil
        case .presented(.presented(.child(.delegate))): state.presented?.child = nil
        default: break
        }
        return .none
      }
      .ifLet(\.$presented, action: /Action.presented) { Middle() }
    }
  }

  @Test("A parent sees the delegate actions that its child emitted before it was removed")
  func delegatesOfGone() async {
    for removesChild in [false, true] {
      var state = Top.State()
      state.fixed.removesChild = removesChild
      state.presented?.removesChild = removesChild
      let store = Store(initialState: state, reducer: Top())
      await store.send(.fixed(.child(.view(.tapped)))).finish()
      await store.send(.presented(.presented(.child(.view(.tapped))))).finish()
      #expect(store.state.fixed.seen == [.first, .second])
      #expect(store.state.presented?.seen == [.first, .second])
    }
  }

  @Test("A parent doesn't see what a running effect of a child sends that another reducer removed")
  func effectOfGone() async {
    let outer = Outer()
    let store = Store(initialState: Outer.State(), reducer: outer)
    let task = store.send(.parent(.optional(.ask)))
    #expect(store.state.parent.seen == [0])
    store.send(.change { $0.optional = nil })
    outer.gate.open()
    await task.finish()
    #expect(outer.log.lines == ["child answers"])
    #expect(store.state.parent.seen == [0])
  }

  @Test("The effects of a child that is gone end with the next action through its operator")
  func ends() async {
    let outer = Outer()
    let store = Store(initialState: Outer.State(), reducer: outer)
    let presented = store.send(.parent(.presented(.presented(.ask))))
    let row = store.send(.parent(.rows(.element(id: "a", action: .ask))))
    let kept = store.send(.parent(.rows(.element(id: "b", action: .ask))))
    store.send(.change { $0.presented = nil })
    store.send(.change { $0.rows.remove(id: "a") })
    store.send(.parent(.rows(.element(id: "b", action: .add))))
    await presented.finish()
    await row.finish()
    #expect(Set(outer.log.lines) == ["child is cancelled", "a is cancelled"])
    #expect(!kept.hasEnded)
    outer.gate.open()
    await kept.finish()
    #expect(outer.log.lines.last == "b answers")
  }
}
