import AppCore
import Testing

@Suite("Scope")
struct ScopeTests {
  struct Child: Reducer {
    struct State: Equatable, Sendable { var seen: [String] = [] }
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case tapped, slow, cancelled }
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
      case .view(.slow):
        return .run { _ in try await Gate().wait() }.cancellable(id: "slow")
      case .view(.cancelled): return .cancel(id: "slow")
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

  @Test("A child's effects come back to the child, through the parent, and to no sibling")
  func effects() async {
    await Home.run { home in
      let store = Store(initialState: Parent.State(), reducer: Parent(), isolation: home)
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

  @Test("A child never sees its own delegate action; its parent does")
  func delegates() async {
    await Home.run { home in
      let store = Store(initialState: Parent.State(), reducer: Parent(), isolation: home)
      await store.send(.left(.view(.tapped))).finish()
      #expect(!store.state.left.seen.contains { $0.contains("delegate") })
      #expect(
        store.state.seen.filter { $0.contains("finished") } == [
          "left finished 2", "left finished 4",
        ])
    }
  }

  @Test("A child's effect is cancelled through the parent")
  func cancellation() async {
    await Home.run { home in
      let store = Store(initialState: Parent.State(), reducer: Parent(), isolation: home)
      let task = store.send(.left(.view(.slow)))
      store.send(.left(.view(.cancelled)))
      // It would wait forever.
      await task.finish()
    }
  }

  @Test("A scope within a scope reaches the innermost state")
  func nested() async {
    struct Grand: Reducer {
      struct State: Sendable { var parent = Parent.State() }
      enum Action: ComponentAction { case parent(Parent.Action) }
      var body: some Reducer<State, Action> {
        Scope(state: \State.parent, action: /Action.parent) { Parent() }
      }
    }
    await Home.run { home in
      let store = Store(initialState: Grand.State(), reducer: Grand(), isolation: home)
      await store.send(.parent(.left(.view(.tapped)))).finish()
      #expect(store.state.parent.left.seen.count == 3)
      #expect(store.state.parent.seen.last == "left finished 4")
    }
  }
}
