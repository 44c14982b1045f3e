import AppCore

// Made by generate-levels.py. The file stands here and is not made by the build: `swift build` alone
// builds the benchmarks from a clean clone, and generics would not do, because apps write such types
// out one by one.

/// A counter under 0 scopes.
struct Level0: Reducer {
  struct State {
    var count = 0
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      }
      return .none
    }
  }
}

/// A counter with `Level0` inside.
struct Level1: Reducer {
  struct State {
    var count = 0
    var child = Level0.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level0.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level0() }
  }
}

/// A counter with `Level1` inside.
struct Level2: Reducer {
  struct State {
    var count = 0
    var child = Level1.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level1.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level1() }
  }
}

/// A counter with `Level2` inside.
struct Level3: Reducer {
  struct State {
    var count = 0
    var child = Level2.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level2.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level2() }
  }
}

/// A counter with `Level3` inside.
struct Level4: Reducer {
  struct State {
    var count = 0
    var child = Level3.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level3.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level3() }
  }
}

/// A counter with `Level4` inside.
struct Level5: Reducer {
  struct State {
    var count = 0
    var child = Level4.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level4.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level4() }
  }
}

/// A counter with `Level5` inside.
struct Level6: Reducer {
  struct State {
    var count = 0
    var child = Level5.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level5.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level5() }
  }
}

/// A counter with `Level6` inside.
struct Level7: Reducer {
  struct State {
    var count = 0
    var child = Level6.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level6.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level6() }
  }
}

/// A counter with `Level7` inside.
struct Level8: Reducer {
  struct State {
    var count = 0
    var child = Level7.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level7.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level7() }
  }
}

/// A counter with `Level8` inside.
struct Level9: Reducer {
  struct State {
    var count = 0
    var child = Level8.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level8.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level8() }
  }
}

/// A counter with `Level9` inside.
struct Level10: Reducer {
  struct State {
    var count = 0
    var child = Level9.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level9.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level9() }
  }
}

/// A counter with `Level10` inside.
struct Level11: Reducer {
  struct State {
    var count = 0
    var child = Level10.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level10.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level10() }
  }
}

/// A counter with `Level11` inside.
struct Level12: Reducer {
  struct State {
    var count = 0
    var child = Level11.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level11.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level11() }
  }
}

/// A counter with `Level12` inside.
struct Level13: Reducer {
  struct State {
    var count = 0
    var child = Level12.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level12.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level12() }
  }
}

/// A counter with `Level13` inside.
struct Level14: Reducer {
  struct State {
    var count = 0
    var child = Level13.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level13.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level13() }
  }
}

/// A counter with `Level14` inside.
struct Level15: Reducer {
  struct State {
    var count = 0
    var child = Level14.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level14.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level14() }
  }
}

/// A counter with `Level15` inside.
struct Level16: Reducer {
  struct State {
    var count = 0
    var child = Level15.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level15.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level15() }
  }
}

/// A counter with `Level16` inside.
struct Level17: Reducer {
  struct State {
    var count = 0
    var child = Level16.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level16.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level16() }
  }
}

/// A counter with `Level17` inside.
struct Level18: Reducer {
  struct State {
    var count = 0
    var child = Level17.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level17.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level17() }
  }
}

/// A counter with `Level18` inside.
struct Level19: Reducer {
  struct State {
    var count = 0
    var child = Level18.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level18.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level18() }
  }
}

/// A counter with `Level19` inside.
struct Level20: Reducer {
  struct State {
    var count = 0
    var child = Level19.State()
  }

  enum Action: ComponentAction {
    case add
    case set(Int)
    case child(Level19.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .set(let count): state.count = count
      case .child: break
      }
      return .none
    }
    Scope(state: \.child, action: /Action.child) { Level19() }
  }
}
