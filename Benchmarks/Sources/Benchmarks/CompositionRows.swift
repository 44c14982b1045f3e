import AppCore

// How the cost of an action grows with the number of enclosing and sibling reducers.
extension Bench {
  /// A leaf under nested scopes, each with a reducer that runs for each action.
  func nestedScopes() -> [Row] {
    row("a leaf under 1 scope", Level1(), .init(), .child(.add))
      + row("a leaf under 2 scopes", Level2(), .init(), .child(.child(.add)))
      + row("a leaf under 5 scopes", Level5(), .init(), Self.five)
      + row("a leaf under 10 scopes", Level10(), .init(), Self.ten)
      + row("a leaf under 20 scopes", Level20(), .init(), Self.twenty)
  }

  private static var five: Level5.Action { .child(.child(.child(.child(.child(.add))))) }
  private static var ten: Level10.Action { .child(.child(.child(.child(.child(five))))) }
  static var twenty: Level20.Action {
    .child(.child(.child(.child(.child(.child(.child(.child(.child(.child(ten))))))))))
  }

  /// The last of several children in one body.
  func siblings() -> [Row] {
    row("1 reducer in a body", Siblings1(), .init(), .child0(.add))
      + row("10 reducers in a body", Siblings10(), .init(), .child9(.add))
      + row("100 reducers in a body", Siblings100(), .init(), .child99(.add))
      + row("200 reducers in a body", Siblings200(), .init(), .child199(.add))
  }

  private func row<R: Reducer>(
    _ name: String, _ reducer: R, _ state: R.State, _ action: R.Action
  ) -> [Row] where R.Action: ComponentAction {
    timed(name, than: .atRoot) {
      sending(action, to: Store(initialState: state, reducer: reducer, isolation: self))
    }
  }
}
