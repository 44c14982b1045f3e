@_spi(Host) import AppCore
import Testing

@Suite("Reducer.ifLet with a presentation", .timeLimit(.minutes(1)))
struct PresentationTests {
  struct State: Sendable {
    @Presented var child: Desk? = Desk(name: "child")
    @Presented var seat: Seat?
    var dismissals = 0
  }

  enum Action: ComponentAction {
    case child(PresentationAction<Work>)
    case seat(PresentationAction<Work>)
    case close
    case change
    case replace
    case sit(String)
    case begin
    case leave
  }

  private func parent(_ log: Log) -> some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .close: state.child = nil
      case .change: state.child = Desk(name: "changed")
      case .replace:
        state.child = nil
        state.child = Desk(name: "new")
      case .sit(let name): state.seat = Seat(name: name)
      case .begin: return endless("parent", log)
      case .leave:
        @Dependency(\.dismiss) var dismiss
        return .run { _ in await dismiss() }
      case .child(.dismiss): state.dismissals += 1
      case .child, .seat: break
      }
      return .none
    }
    .ifLet(
      \.$child, action: /Action.child, child: { Worker(log) }, fileID: "Cart.swift", line: 9
    )
    .ifLet(\.$seat, action: /Action.seat) { Worker(log) }
  }

  /// Begins the work of parent and child, does `action`, and tells what happened.
  private func afterBegin(_ actions: Action...) async -> [String] {
    await Home.run { home in
      let log = Log()
      let store = Store(initialState: State(), reducer: parent(log), isolation: home)
      let own = store.send(.begin)
      let child = store.send(.child(.presented(.begin)))
      for action in actions { store.send(action) }
      await child.finish()
      let lines = log.lines
      own.cancel()
      await own.finish()
      return lines
    }
  }

  @Test("Dismissed, let go or replaced: the child's effects end, and its parent's go on")
  func ends() async {
    let expected = ["parent begins", "child begins", "child ends"]
    #expect(await afterBegin(.child(.dismiss)) == expected)
    #expect(await afterBegin(.close) == expected)
    #expect(await afterBegin(.replace) == expected)
  }

  @Test("A child that takes the place of one with its state replaced keeps its effects")
  func keeps() async {
    await Home.run { home in
      let log = Log()
      let store = Store(initialState: State(), reducer: parent(log), isolation: home)
      let child = store.send(.child(.presented(.begin)))
      store.send(.change)
      store.send(.child(.presented(.add)))
      #expect(store.state.child == Desk(name: "changed", count: 1))
      store.send(.child(.presented(.stop)))
      await child.finish()
      #expect(log.lines == ["child begins", "child ends"])
    }
  }

  @Test("A child with another id is another child")
  func otherID() async {
    await Home.run { home in
      let log = Log()
      let store = Store(initialState: State(), reducer: parent(log), isolation: home)
      store.send(.sit("a"))
      let first = store.send(.seat(.presented(.begin)))
      store.send(.sit("a"))
      #expect(log.lines == ["a begins"])
      store.send(.sit("b"))
      await first.finish()
      let second = store.send(.seat(.presented(.begin)))
      store.send(.seat(.dismiss))
      await second.finish()
      #expect(log.lines == ["a begins", "a ends", "b begins", "b ends"])
    }
  }

  @Test("A child dismisses itself, and its parent sees it before the child is gone")
  func dismissal() async {
    let reports = Reports()
    await reports.collect {
      await Home.run { home in
        let log = Log()
        let store = Store(initialState: State(), reducer: parent(log), isolation: home)
        let work = store.send(.child(.presented(.begin)))
        await store.send(.child(.presented(.leave))).finish()
        await work.finish()
        #expect(store.state.child == nil)
        #expect(store.state.dismissals == 1)
        #expect(log.lines == ["child begins", "child ends"])
      }
    }
    #expect(reports.all == [])
  }

  @Test("A parent that presents anew in answer to the dismissal keeps the new child")
  func answeredDismissal() async {
    await Home.run { home in
      let reducer = Reduce<State, Action> { state, action in
        guard case .child(.dismiss) = action else { return .none }
        state.child = nil
        state.child = Desk(name: "next")
        return .none
      }
      .ifLet(\.$child, action: /Action.child) { Worker(Log()) }
      let store = Store(initialState: State(), reducer: reducer, isolation: home)
      store.send(.child(.dismiss))
      #expect(store.state.child == Desk(name: "next"))
    }
  }

  @Test("Where nothing is presented, dismissing is reported with the remedy")
  func dismissedByNobody() async {
    let reports = Reports()
    await reports.collect {
      await Home.run { home in
        let store = Store(initialState: State(), reducer: parent(Log()), isolation: home)
        await store.send(.leave).finish()
        #expect(store.state.child != nil)
      }
    }
    #expect(reports.all.count == 1)
    #expect(
      reports.all.first?.hasPrefix("'dismiss' was called where nothing is presented\n  - call it")
        == true)
  }

  @Test("An effect that a child's action starts in the parent can't dismiss the child")
  func foreignDismissal() async {
    enum Only: ComponentAction { case child(PresentationAction<Work>) }
    let reports = Reports()
    await reports.collect {
      await Home.run { home in
        @Dependency(\.dismiss) var dismiss
        let reducer = Reduce<State, Only> { _, action in
          guard case .child(.presented(.stop)) = action else { return .none }
          return .run { [dismiss] _ in await dismiss() }
        }
        .ifLet(\.$child, action: /Only.child) {
          Reduce<Desk, Work> { _, action in
            action == .begin ? .run { send in await send(.stop) } : .none
          }
        }
        let store = Store(initialState: State(), reducer: reducer, isolation: home)
        let task = store.send(.child(.presented(.begin)))
        await task.finish()
        _ = await store.activityAccount.settled(within: .seconds(30))
        #expect(store.state.child != nil)
      }
    }
    #expect(reports.all.count == 1)
  }

  @Test("An action or a dismissal of a child that is not presented is reported")
  func absent() async {
    let reports = Reports()
    await reports.collect {
      await Home.run { home in
        let store = Store(
          initialState: State(child: nil), reducer: parent(Log()), isolation: home)
        store.send(.child(.presented(.add)))
        store.send(.child(.dismiss))
        #expect(store.state.child == nil)
      }
    }
    #expect(reports.all.count == 2)
    #expect(
      reports.all.first?.hasPrefix(
        """
        ifLet at Cart.swift:9: an action came for a child that is not presented
          action: .child(.presented(.add))
          - the parent let go of the child's state before this action came
        """) == true)
    #expect(
      reports.all.last?.hasPrefix(
        """
        ifLet at Cart.swift:9: a child was to be dismissed that is not presented
          action: .child(.dismiss)
        """) == true)
  }

  @Test("A child's change copies nothing")
  func inPlace() async {
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
}
