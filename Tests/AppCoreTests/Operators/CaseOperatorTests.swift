@_spi(Host) import AppCore
import Testing

/// Operators for cases that are made at one place of the source.
@Home
@Suite("Operators for several cases on one line", .timeLimit(.minutes(30)))
struct CaseOperatorTests {
  private enum Place: Sendable {
    case left(Desk)
    case right(Desk)
    case seat(Seat)
  }
  private enum Action: ComponentAction { case left(Work), right(Work), seat(Work) }

  private let log = Log()

  /// Adds a worker; all that it adds are on one line.
  private func adding<State: WorkerState>(
    _ state: CasePath<Place, State>, _ action: CasePath<Action, Work>, _ gate: Gate,
    to reducer: some Reducer<Place, Action>
  ) -> CombineReducers<Place, Action> {
    reducer.ifCaseLet(state, action: action) { Worker<State>(log, gate: gate) }
  }

  private func scope<State: WorkerState>(
    _ state: CasePath<Place, State>, _ action: CasePath<Action, Work>, _ gate: Gate
  ) -> Scope<Place, Action> {
    Scope(state: state, action: action) { Worker<State>(log, gate: gate) }
  }

  /// The effect of a child must go on while the child gets actions.
  private func expectAnswer(
    in place: Place, _ action: (Work) -> Action, _ reducer: (Gate) -> CombineReducers<Place, Action>
  ) async {
    log.clear()
    let gate = Gate()
    let store = Store(initialState: place, reducer: reducer(gate))
    let task = store.send(action(.ask))
    store.send(action(.add))
    gate.open()
    await task.finish()
    #expect(log.lines == ["child answers"], "\(place)")
  }

  @Test("They don't end each other's effects")
  func chained() async {
    func reducer(_ gate: Gate) -> CombineReducers<Place, Action> {
      let seat = adding(/Place.seat, /Action.seat, gate, to: EmptyReducer())
      let right = adding(/Place.right, /Action.right, gate, to: seat)
      return adding(/Place.left, /Action.left, gate, to: right)
    }
    await expectAnswer(in: .left(Desk(name: "child")), Action.left, reducer)
    await expectAnswer(in: .right(Desk(name: "child")), Action.right, reducer)
    await expectAnswer(in: .seat(Seat(name: "child")), Action.seat, reducer)
  }

  @Test("Nor do scopes of children of several types, whose paths are functions of one's own")
  func scopes() async {
    let left = CasePath<Action, Work>(
      embed: { .left($0) }, extract: { if case .left(let work) = $0 { work } else { nil } })
    let seat = CasePath<Action, Work>(
      embed: { .seat($0) }, extract: { if case .seat(let work) = $0 { work } else { nil } })
    func reducer(_ gate: Gate) -> CombineReducers<Place, Action> {
      CombineReducers {
        scope(/Place.left, left, gate)
        scope(/Place.seat, seat, gate)
      }
    }
    await expectAnswer(in: .left(Desk(name: "child")), Action.left, reducer)
    await expectAnswer(in: .seat(Seat(name: "child")), Action.seat, reducer)
  }
}
