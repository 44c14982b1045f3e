import AppCore
import Testing

@Home
@Suite("Where presentations stand")
struct PresentedPlaceTests {
  struct Child: Equatable { var text = "" }

  struct Parent {
    var flag = true
    @Presented var first: Child?
    var between: UInt8 = 7
    @Presented var second: Child?
    var writes = 0

    /// What its setter does besides must not be left out.
    var counted: PresentationState<Child> {
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
    enum ChildAction: ComponentAction { case typed(String) }
    enum Action: ComponentAction {
      case stored(PresentationAction<ChildAction>)
      case counted(PresentationAction<ChildAction>)
      case nested(PresentationAction<ChildAction>)
      case open
    }
    let child = Reduce<Child, ChildAction> { state, action in
      guard case .typed(let text) = action else { return .none }
      state.text += text
      return .none
    }
    let reducer = Reduce<Outer, Action> { state, action in
      guard case .open = action else { return .none }
      state.parent.first = Child(text: "1")
      state.parent.second = Child(text: "2")
      return .none
    }
    .ifLet(\.parent.$first, action: /Action.nested) { child }
    .ifLet(\.parent.counted, action: /Action.counted) { child }
    let store = Store(initialState: Outer(), reducer: reducer)
    store.send(.open)
    store.send(.nested(.presented(.typed("a"))))
    store.send(.counted(.presented(.typed("b"))))
    #expect(store.state.parent.first == Child(text: "1a"))
    #expect(store.state.parent.second == Child(text: "2b"))
    #expect(store.state.parent.writes > 0)
    let writes = store.state.parent.writes
    store.send(.counted(.dismiss))
    #expect(store.state.parent.second == nil)
    #expect(store.state.parent.writes > writes)
  }
}
