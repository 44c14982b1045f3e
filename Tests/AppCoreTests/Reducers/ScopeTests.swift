import AppCore
import Testing

@Home
@Suite("Scope")
struct ScopeTests {
  struct Child: Reducer {
    struct State: Equatable, Sendable { var seen: [String] = [] }
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case tapped }
      enum Internal: Sendable { case loaded(Int) }
      enum Delegate: Codable, Sendable { case finished(number: Int) }
      case view(View)
      case `internal`(Internal)
      case delegate(Delegate)

      var text: String {
        switch self {
        case .view(let view): "\(view)"
        case .internal(.loaded(let number)): "loaded \(number)"
        case .delegate(.finished(let number)): "delegate \(number)"
        }
      }
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.seen.append(action.text)
      switch action {
      case .view(.tapped):
        return .concatenate(
          .run { send in
            await send(.internal(.loaded(1)))
            await send(.delegate(.finished(number: 2)))
          }, .send(.internal(.loaded(3))), .send(.delegate(.finished(number: 4))))
      case .internal, .delegate: return .none
      }
    }
  }

  struct Parent: Reducer {
    struct State: Sendable {
      var left = Child.State()
      var right = Child.State()
      var seen: [String] = []
    }
    enum Action: ComponentAction {
      case left(Child.Action)
      case right(Child.Action)
      case other
    }
    var body: some Reducer<State, Action> {
      Scope(state: \State.left, action: /Action.left) { Child() }
      Scope(state: \State.right, action: /Action.right) { Child() }
      Reduce<State, Action> { state, action in
        state.seen.append(short(action))
        return .none
      }
    }

    private func short(_ action: Action) -> String {
      switch action {
      case .left(.delegate(.finished(let number))): "left finished \(number)"
      case .right(.delegate(.finished(let number))): "right finished \(number)"
      case .left: "left"
      case .right: "right"
      case .other: "other"
      }
    }
  }

  @Test(
    "A child's effects come back to it through the parent, to no sibling; delegate actions end there"
  )
  func effects() async {
    let store = Store(initialState: Parent.State(), reducer: Parent())
    await store.send(.right(.view(.tapped))).finish()
    store.send(.other)
    #expect(store.state.left.seen.isEmpty)
    #expect(store.state.right.seen == ["tapped", "loaded 1", "loaded 3"])
    #expect(
      store.state.seen == [
        "right", "right", "right finished 2", "right", "right finished 4", "other",
      ])
  }
}
