import AppCore
import Testing

@Home
@Suite("Where presentations stand")
struct PresentedPlaceTests {
  struct Parent {
    var flag = true
    @Presented var first: Desk?
    var between: UInt8 = 7
    @Presented var second: Desk?
    var writes = 0

    /// What its setter does besides must not be left out.
    var counted: PresentationState<Desk> {
      get { $second }
      set {
        $second = newValue
        writes += 1
      }
    }
  }

  struct Outer {
    var parent = Parent()
    var count = 0
  }

  @Test("A child is reduced wherever its presentation stands, and written through its setter")
  func reduced() {
    enum Action: ComponentAction {
      case counted(PresentationAction<Work>)
      case nested(PresentationAction<Work>)
      case open
    }
    let reducer = Reduce<Outer, Action> { state, action in
      guard case .open = action else { return .none }
      state.parent.first = Desk(name: "1")
      state.parent.second = Desk(name: "2", count: 5)
      return .none
    }
    .ifLet(\.parent.$first, action: /Action.nested) { Worker<Desk>(Log()) }
    .ifLet(\.parent.counted, action: /Action.counted) { Worker<Desk>(Log()) }
    let store = Store(initialState: Outer(), reducer: reducer)
    store.send(.open)
    store.send(.nested(.presented(.add)))
    store.send(.counted(.presented(.add)))
    #expect(store.state.parent.first == Desk(name: "1", count: 1))
    #expect(store.state.parent.second == Desk(name: "2", count: 6))
    #expect(store.state.parent.writes > 0)
    let writes = store.state.parent.writes
    store.send(.counted(.dismiss))
    #expect(store.state.parent.second == nil)
    #expect(store.state.parent.writes > writes)
  }
}
