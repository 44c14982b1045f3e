/// The baseline of the rows: a state and a `switch`, without any library.
enum ByHand {
  struct State { var count = 0 }

  enum Action {
    case add
    case remove
    case reset
  }

  @inline(never)
  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .add: state.count += 1
    case .remove: state.count -= 1
    case .reset: state.count = 0
    }
  }

  static func run(_ count: Int) {
    var state = State()
    // The compiler must not know the actions, or it would optimize the work away.
    let actions: [Action] = count > 0 ? [.add, .add, .remove, .add] : []
    for index in 0..<count { reduce(&state, actions[index & 3]) }
    precondition(state.count >= count / 2 - 2)
  }
}
