import AppCore
import Testing

@Suite("Reducer.ifLet with an optional", .timeLimit(.minutes(1)))
struct IfLetTests {
  struct State: Equatable, Sendable {
    var child: Desk? = Desk(name: "child")
    var seen: [Int?] = []
  }

  enum Action: ComponentAction {
    case child(Work)
    case close
    case rename
    case begin
  }

  private func parent(_ log: Log) -> some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      state.seen.append(state.child?.count)
      switch action {
      case .close: state.child = nil
      case .rename: state.child?.name = "renamed"
      case .begin: return endless("parent", log)
      case .child(.stop): return .cancel(id: "work")
      case .child: break
      }
      return .none
    }
    .ifLet(\.child, action: /Action.child, child: { Worker(log) }, fileID: "Cart.swift", line: 7)
  }

  @Test("The child answers before its parent")
  func order() async {
    await Home.run { home in
      let store = Store(initialState: State(), reducer: parent(Log()), isolation: home)
      store.send(.child(.add))
      store.send(.rename)
      #expect(store.state.child == Desk(name: "renamed", count: 1))
      #expect(store.state.seen == [1, 1])
    }
  }

  @Test("The child's effects end when its state becomes nil, and those of its parent go on")
  func end() async {
    await Home.run { home in
      let log = Log()
      let store = Store(initialState: State(), reducer: parent(log), isolation: home)
      let own = store.send(.begin)
      let child = store.send(.child(.begin))
      store.send(.rename)
      #expect(log.lines == ["parent begins", "child begins"])
      store.send(.close)
      await child.finish()
      #expect(log.lines == ["parent begins", "child begins", "child ends"])
      own.cancel()
      await own.finish()
    }
  }

  @Test("An effect of the child is cancelled by the child")
  func cancellation() async {
    await Home.run { home in
      let log = Log()
      let store = Store(initialState: State(), reducer: parent(log), isolation: home)
      let first = store.send(.child(.begin))
      let second = store.send(.child(.begin))
      await first.finish()
      store.send(.child(.stop))
      await second.finish()
      #expect(log.lines.count { $0 == "child ends" } == 2)
    }
  }

  @Test("An action for a child that is nil is reported, and its parent still sees it")
  func absent() async {
    let reports = Reports()
    await reports.collect {
      await Home.run { home in
        let store = Store(
          initialState: State(child: nil), reducer: parent(Log()), isolation: home)
        store.send(.child(.add))
        #expect(store.state == State(child: nil, seen: [nil]))
      }
    }
    #expect(
      reports.all == [
        """
        ifLet at Cart.swift:7: an action came for a child whose state is nil
          action: .child(.add)
          - the parent let go of the child's state before this action came: let the child's \
        reducer answer first, as this operator does, or ignore the action in the parent
          - an effect of the child still ran: start it in the child, so that it ends with it
          - the action was sent without a child on the screen: show its controls only while it \
        is there
        """
      ])
  }

  @Test("A report names the line the operator is written in")
  func place() async {
    let reports = Reports()
    let line = #line + 2
    let reducer = EmptyReducer<State, Action>()
      .ifLet(\.child, action: /Action.child) { Worker<Desk>(Log()) }
    await reports.collect {
      var state = State(child: nil)
      _ = reducer.reduce(into: &state, action: .child(.add))
    }
    #expect(reports.all.count == 1)
    #expect(
      reports.all.first?.hasPrefix("ifLet at AppCoreTests/IfLetTests.swift:\(line): ") == true)
  }

  @Test("Children in two instances of one reducer don't cancel each other")
  func siblings() async {
    enum Both: ComponentAction {
      case left(Action)
      case right(Action)
    }
    struct Pair: Sendable { var left = State(), right = State() }
    await Home.run { home in
      let log = Log()
      let store = Store(
        initialState: Pair(),
        reducer: CombineReducers<Pair, Both> {
          Scope(state: \Pair.left, action: /Both.left) { parent(log) }
          Scope(state: \Pair.right, action: /Both.right) { parent(log) }
        }, isolation: home)
      store.send(.left(.rename))
      let left = store.send(.left(.child(.begin)))
      let right = store.send(.right(.child(.begin)))
      store.send(.left(.close))
      await left.finish()
      #expect(log.lines == ["renamed begins", "child begins", "renamed ends"])
      right.cancel()
      await right.finish()
    }
  }
}
