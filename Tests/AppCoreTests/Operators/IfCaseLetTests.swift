import AppCore
import Testing

@Suite("Reducer.ifCaseLet and Scope over cases", .timeLimit(.minutes(1)))
struct IfCaseLetTests {
  enum State: Equatable, Sendable {
    case first(Desk)
    case second(Seat)
    case none
  }

  enum Action: ComponentAction {
    case first(Work)
    case second(Work)
    case advance
    case begin
  }

  private func parent(_ log: Log) -> some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .advance:
        if case .first = state { state = .second(Seat(name: "second")) } else { state = .none }
      case .begin: return endless("parent", log)
      case .first, .second: break
      }
      return .none
    }
    .ifCaseLet(
      /State.first, action: /Action.first, child: { Worker(log) }, fileID: "Door.swift",
      line: 3
    )
    .ifCaseLet(/State.second, action: /Action.second) { Worker(log) }
  }

  @Test("A child runs while the state is in its case, and its effects end with the case")
  func end() async {
    await Home.run { home in
      let log = Log()
      let store = Store(
        initialState: .first(Desk(name: "first")), reducer: parent(log), isolation: home)
      let own = store.send(.begin)
      store.send(.first(.add))
      #expect(store.state == .first(Desk(name: "first", count: 1)))
      let first = store.send(.first(.begin))
      store.send(.advance)
      await first.finish()
      let second = store.send(.second(.begin))
      #expect(log.lines == ["parent begins", "first begins", "first ends", "second begins"])
      store.send(.advance)
      await second.finish()
      #expect(log.lines.last == "second ends")
      #expect(!log.lines.contains("parent ends"))
      own.cancel()
      await own.finish()
    }
  }

  @Test("An action for a child whose case the state is not in is reported")
  func otherCase() async {
    let reports = Reports()
    await reports.collect {
      await Home.run { home in
        let store = Store(
          initialState: .second(Seat(name: "s")), reducer: parent(Log()), isolation: home)
        store.send(.first(.add))
        #expect(store.state == .second(Seat(name: "s")))
      }
    }
    #expect(
      reports.all == [
        """
        ifCaseLet at Door.swift:3: an action came for a child while the state is in another \
        case
          action: .first(.add)
          - the parent changed the case before this action came
          - an effect of the child still ran: start it in the child, so that it ends with it
        """
      ])
  }

  @Test("Scope over a case runs the child in it, and reports an action in another case")
  func scope() async {
    let reports = Reports()
    let line = #line + 2
    let reducer = CombineReducers<State, Action> {
      Scope(state: /State.first, action: /Action.first) { Worker<Desk>(Log()) }
    }
    await reports.collect {
      var state = State.first(Desk(name: "a"))
      _ = reducer.reduce(into: &state, action: .first(.add))
      #expect(state == .first(Desk(name: "a", count: 1)))
      state = .none
      _ = reducer.reduce(into: &state, action: .first(.add))
      #expect(state == .none)
    }
    #expect(reports.all.count == 1)
    #expect(reports.all.first?.contains("AppCoreTests/IfCaseLetTests.swift:\(line): ") == true)
  }
}
