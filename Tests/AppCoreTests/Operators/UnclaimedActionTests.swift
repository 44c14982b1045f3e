import AppCore
import Testing

@Home
@Suite("Actions of a child without an operator")
struct UnclaimedActionTests {
  struct State: Sendable {
    @Presented var child: Desk? = Desk(name: "child")
    var seats: IdentifiedArray<Seat> = [Seat(name: "a")]
    var path: StackState<Desk> = []
  }

  enum Action: ComponentAction {
    case child(PresentationAction<Work>)
    case seats(IdentifiedAction<String, Work>)
    case path(StackAction<Desk, Work>)
    case add
  }

  private let nothing = Reduce<State, Action> { _, _ in .none }

  private func reports(_ reducer: some Reducer<State, Action>, _ actions: Action...) -> [String] {
    reported {
      let store = Store(initialState: State(), reducer: reducer)
      for action in actions { store.send(action) }
    }
  }

  @Test("A presentation without 'ifLet' is reported, with the action and the operator to add")
  func presentation() {
    let reports = reports(nothing, .add, .child(.presented(.add)))
    #expect(
      reports == [
        #"""
        an action came for the child 'child', which no 'ifLet' of the reducer of 'Action' runs; it \#
        changed nothing
          action: .child(.presented(.add))
          - the reducer has a case for the child's actions and no operator for the child: add \#
        '.ifLet(\.$child, action: /Action.child) { … }' to it
        """#
      ])
  }

  @Test("Elements without 'forEach' are reported")
  func elements() {
    let reports = reports(
      nothing, .seats(.element(id: "a", action: .add)),
      .path(.element(id: StackState<Desk>().nextID, action: .add)))
    #expect(reports.count == 2)
    #expect(reports[0].hasPrefix("an action came for the child 'seats', which no 'forEach' of"))
    #expect(reports[1].contains(#"'.forEach(\.path, action: /Action.path) { … }'"#))
  }

  @Test("With operators, in any order and under others, nothing is reported")
  func complete() {
    let log = Log()
    let written = CasePath<Action, PresentationAction<Work>>(
      embed: { .child($0) }, extract: { if case .child(let action) = $0 { action } else { nil } })
    let reducer = CombineReducers<State, Action> {
      nothing
        .forEach(\.seats, action: /Action.seats) { Worker<Seat>(log) }
        .onChange(of: \.seats.count) { _, _ in EmptyReducer<State, Action>() }
      nothing
        .ifLet(\.$child, action: written) { Worker<Desk>(log) }
        .forEach(\.path, action: /Action.path) { Worker<Desk>(log) }
        .printChanges("test") { _ in }
    }
    #expect(
      reports(
        reducer, .child(.presented(.add)), .seats(.element(id: "a", action: .add)),
        .path(.push(id: StackState<Desk>().nextID, state: Desk(name: "d"))),
        .path(.element(id: StackState<Desk>().nextID, action: .add))) == [])
  }

  @Test("A child's own child without an operator is reported too")
  func nested() {
    enum Outer: ComponentAction { case inner(Action) }
    let reports = reported {
      var state = State()
      _ = Scope<State, Outer>(state: \.self, action: /Outer.inner) { nothing }
        .reduce(into: &state, action: .inner(.child(.presented(.add))))
    }
    #expect(reports.count == 1)
  }
}
