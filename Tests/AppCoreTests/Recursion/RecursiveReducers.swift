import AppCore

/// A type that presents itself.
struct Level: Sendable {
  var count = 0
  @Presented var next: Level?

  indirect enum Action: ComponentAction {
    case add
    case present
    case send
    case work
    case leave
    case next(PresentationAction<Action>)
  }

  static var reducer: some Reducer<Level, Action> { LevelReducer() }

  static func nested(_ depth: Int) -> Level {
    var level = Level()
    for _ in 0..<depth { level = Level(next: level) }
    return level
  }

  static func at(_ depth: Int, _ action: Action) -> Action {
    var action = action
    for _ in 0..<depth { action = .next(.presented(action)) }
    return action
  }

  /// The counts of the levels, without the first ones.
  func counts(from first: Int) -> [Int] {
    var result: [Int] = []
    var level: Level? = self
    while let current = level {
      result.append(current.count)
      level = current.next
    }
    return Array(result.dropFirst(first))
  }
}

struct LevelReducer: Reducer {
  var body: some Reducer<Level, Level.Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .present: state.next = Level()
      case .send: return .send(.add)
      case .work:
        return .run { send in
          await Task.yield()
          await send(.add)
        }
      case .leave:
        return .run { _ in
          @Dependency(\.dismiss) var dismiss
          await dismiss()
        }
      case .next: break
      }
      return .none
    }
    .ifLet(\.$next, action: /Level.Action.next, child: { Self() }, fileID: "Level.swift", line: 1)
  }
}

/// Presents a ``Beta``, which presents an ``Alpha``.
struct Alpha: Sendable {
  var count = 0
  @Presented var beta: Beta?

  indirect enum Action: ComponentAction {
    case add
    case present
    case beta(PresentationAction<Beta.Action>)
  }

  static var reducer: some Reducer<Alpha, Action> { AlphaReducer() }

  static func nested(pairs: Int) -> Alpha {
    var alpha = Alpha(beta: Beta())
    for _ in 1..<pairs { alpha = Alpha(beta: Beta(alpha: alpha)) }
    return alpha
  }

  /// An action for the level `depth`, which is of either type.
  static func at(_ depth: Int, alpha: Action, beta: Beta.Action) -> Action {
    var (alpha, beta) = (alpha, beta)
    for _ in 0..<depth {
      (alpha, beta) = (.beta(.presented(beta)), .alpha(.presented(alpha)))
    }
    return alpha
  }

  /// How many levels there are, of both types.
  var depth: Int {
    var result = 0
    var alpha: Alpha? = self
    while let current = alpha {
      guard let beta = current.beta else { return result + 1 }
      result += 2
      alpha = beta.alpha
    }
    return result
  }
}

/// See ``Alpha``.
struct Beta: Sendable {
  var count = 0
  @Presented var alpha: Alpha?

  indirect enum Action: ComponentAction {
    case add
    case present
    case alpha(PresentationAction<Alpha.Action>)
  }
}

struct AlphaReducer: Reducer {
  var body: some Reducer<Alpha, Alpha.Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .present: state.beta = Beta()
      case .beta: break
      }
      return .none
    }
    .ifLet(
      \.$beta, action: /Alpha.Action.beta, child: { BetaReducer() }, fileID: "Alpha.swift", line: 1)
  }
}

struct BetaReducer: Reducer {
  var body: some Reducer<Beta, Beta.Action> {
    Reduce { state, action in
      switch action {
      case .add: state.count += 1
      case .present: state.alpha = Alpha()
      case .alpha: break
      }
      return .none
    }
    .ifLet(
      \.$alpha, action: /Beta.Action.alpha, child: { AlphaReducer() }, fileID: "Beta.swift", line: 2
    )
  }
}
