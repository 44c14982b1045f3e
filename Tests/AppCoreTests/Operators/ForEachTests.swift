import AppCore
import Testing

@Suite("Reducer.forEach with a collection", .timeLimit(.minutes(1)))
struct ForEachTests {
  struct State: Equatable, Sendable {
    var seats: IdentifiedArray<Seat> = [Seat(name: "a"), Seat(name: "b")]
  }

  enum Action: ComponentAction {
    case seats(IdentifiedAction<String, Work>)
    case remove(String)
    case load([String])
    case begin
  }

  private func parent(_ log: Log) -> some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .remove(let id): state.seats.remove(id: id)
      case .load(let names): state.seats = IdentifiedArray(names.map { Seat(name: $0) })
      case .begin: return endless("parent", log)
      case .seats: break
      }
      return .none
    }
    .forEach(
      \.seats, action: /Action.seats, element: { Worker(log) }, fileID: "Rows.swift", line: 5)
  }

  @Test("An action changes the element it is for, and no other")
  func element() async {
    await Home.run { home in
      let store = Store(initialState: State(), reducer: parent(Log()), isolation: home)
      store.send(.seats(.element(id: "b", action: .add)))
      #expect(store.state.seats.map(\.count) == [0, 1])
    }
  }

  @Test("Elements' effects of one id are their own, and end when their element is removed")
  func removal() async {
    await Home.run { home in
      let log = Log()
      let store = Store(initialState: State(), reducer: parent(log), isolation: home)
      let own = store.send(.begin)
      let first = store.send(.seats(.element(id: "a", action: .begin)))
      let second = store.send(.seats(.element(id: "b", action: .begin)))
      store.send(.remove("a"))
      await first.finish()
      #expect(log.lines == ["parent begins", "a begins", "b begins", "a ends"])
      store.send(.seats(.element(id: "b", action: .stop)))
      await second.finish()
      #expect(log.lines.last == "b ends")
      own.cancel()
      await own.finish()
    }
  }

  @Test("Another collection in its place ends the effects of those that are not in it")
  func replacement() async {
    await Home.run { home in
      let log = Log()
      let store = Store(initialState: State(), reducer: parent(log), isolation: home)
      let first = store.send(.seats(.element(id: "a", action: .begin)))
      let second = store.send(.seats(.element(id: "b", action: .begin)))
      // As many as before.
      store.send(.load(["b", "c"]))
      await first.finish()
      #expect(log.lines == ["a begins", "b begins", "a ends"])
      second.cancel()
      await second.finish()
    }
  }

  @Test("An action for an element that is not there is reported")
  func absent() async {
    let reports = Reports()
    await reports.collect {
      await Home.run { home in
        let store = Store(initialState: State(), reducer: parent(Log()), isolation: home)
        store.send(.seats(.element(id: "x", action: .add)))
        #expect(store.state == State())
      }
    }
    #expect(
      reports.all == [
        """
        forEach at Rows.swift:5: an action came for an element that is not there
          action: .seats(.element(id: "x", action: .add))
          - the parent removed the element before this action came
          - an effect of the element still ran: start it in the element's reducer, so that it \
        ends with it
        """
      ])
  }
}
