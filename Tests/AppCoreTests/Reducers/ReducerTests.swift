import AppCore
import Testing

@Home
@Suite("Reducer and its bodies")
struct ReducerTests {
  /// Counts how often its body is built.
  private struct Counting: Reducer {
    let built: Log

    var body: some Reducer<[String], Note> {
      let _ = built.add("built")
      Reduce<[String], Note> { state, _ in
        state.append("first")
        return .none
      }
      Inner(built: built)
      Reduce<[String], Note> { state, _ in
        state.append("last")
        return .none
      }
    }
  }

  private struct Inner: Reducer {
    let built: Log
    var body: some Reducer<[String], Note> {
      let _ = built.add("inner built")
      Reduce<[String], Note> { state, _ in
        state.append("inner")
        return .none
      }
    }
  }

  private struct Direct: Reducer {
    func reduce(into state: inout [String], action: Note) -> Effect<Note> {
      state.append("direct")
      return action == .go ? .send(.stop) : .none
    }
  }

  private struct Choosing: Reducer {
    var isFirst: Bool
    var extra: Bool
    var times: Int
    var body: some ReducerOf<Direct> {
      if isFirst { adding("a") } else { adding("b") }
      if extra { adding("extra") }
      for number in 0..<times { adding("\(number)") }
      EmptyReducer<[String], Note>()
    }

    private func adding(_ text: String) -> Reduce<[String], Note> {
      Reduce { state, _ in
        state.append(text)
        return .none
      }
    }
  }

  @Test("A store builds each body once, and runs its reducers in order on every action")
  func once() {
    let built = Log()
    let store = Store(initialState: [], reducer: Counting(built: built))
    for _ in 0..<100 { store.send(.go) }
    #expect(built.lines == ["built", "inner built"])
    #expect(store.state.count == 300)
    #expect(store.state.prefix(3) == ["first", "inner", "last"])
  }

  @Test("Conditions and loops in a body choose what runs")
  func choosing() {
    func run(_ reducer: Choosing) -> [String] {
      var state: [String] = []
      _ = reducer.reduce(into: &state, action: .go)
      return state
    }
    #expect(run(Choosing(isFirst: true, extra: false, times: 0)) == ["a"])
    #expect(run(Choosing(isFirst: false, extra: true, times: 2)) == ["b", "extra", "0", "1"])
  }

  @Test("The effects of all reducers are merged, in order")
  func merged() {
    let reducer = CombineReducers<[String], Note> {
      Reduce<[String], Note> { _, action in action == .go ? .send(.took(1)) : .none }
      Direct()
      Reduce<[String], Note> { state, action in
        state.append("\(action)")
        return action == .go ? .send(.took(2)) : .none
      }
    }
    let store = Store(initialState: [], reducer: reducer)
    store.send(.go)
    #expect(
      store.state == [
        "direct", "go", "direct", "took(1)", "direct", "stop", "direct", "took(2)",
      ])
  }
}
