import AppCore
import Testing

@Home
@Suite("Reducer.printChanges")
struct PrintChangesTests {
  @Test("Every action is printed with what it changed, and the reducer does the same as without")
  func printing() {
    let log = Log()
    let reducer = Reduce<Desk, Note> { state, action in
      guard case .took(let count) = action else { return .none }
      state.count += count
      return .send(.stop)
    }
    .printChanges("Desk") { log.add($0) }
    let store = Store(initialState: Desk(name: "a"), reducer: reducer)
    store.send(.took(4))
    #expect(store.state.count == 4)
    #expect(
      log.lines == [
        """
        Desk: .took(4)
            Desk(
              name: "a",
          -   count: 0
          +   count: 4
            )

        """,
        """
        Desk: .stop
          (no changes)

        """,
      ])
  }
}
