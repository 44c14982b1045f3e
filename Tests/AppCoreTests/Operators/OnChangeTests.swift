import AppCore
import Testing

@Home
@Suite("Reducer.onChange")
struct OnChangeTests {
  struct State: Equatable, Sendable {
    var count = 0
    var other = 0
    var changes: [String] = []
  }

  @Test("The further reducers run when the part has changed, with its old and new value")
  func change() {
    let reducer = Reduce<State, Note> { state, action in
      switch action {
      case .took(let count): state.count = count
      case .go: state.other += 1
      case .stop: break
      }
      return .none
    }
    .onChange(of: \.count) { old, new in
      Reduce<State, Note> { state, _ in
        state.changes.append("\(old) to \(new)")
        return .send(.go)
      }
    }
    let store = Store(initialState: State(), reducer: reducer)
    store.send(.took(0))
    store.send(.go)
    #expect(store.state == State(count: 0, other: 1))
    store.send(.took(5))
    #expect(store.state == State(count: 5, other: 2, changes: ["0 to 5"]))
  }
}
