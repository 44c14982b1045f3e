import AppCore

/// A type that presents itself.
struct Level: Sendable {
  var count = 0
  @Presented var next: Level?

  indirect enum Action: ComponentAction {
    case add
    case present
    case work
    case leave
    case next(PresentationAction<Action>)
  }

  static var reducer: some Reducer<Level, Action> {
    Recurse<Level, Action> { itself in
      Reduce<Level, Action> { state, action in
        switch action {
        case .add: state.count += 1
        case .present: state.next = Level()
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
      .ifLet(\.$next, action: /Action.next, child: { itself }, fileID: "Level.swift", line: 1)
    }
  }

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

/// Presents a ``Beta``, which presents an ``Alpha``.
struct Alpha: Sendable {
  var count = 0
  @Presented var beta: Beta?

  indirect enum Action: ComponentAction {
    case add
    case present
    case beta(PresentationAction<Beta.Action>)
  }

  static var reducer: some Reducer<Alpha, Action> {
    Recurse<Alpha, Action> { itself in
      Reduce<Alpha, Action> { state, action in
        switch action {
        case .add: state.count += 1
        case .present: state.beta = Beta()
        case .beta: break
        }
        return .none
      }
      .ifLet(
        \.$beta, action: /Action.beta,
        child: {
          Reduce<Beta, Beta.Action> { state, action in
            switch action {
            case .add: state.count += 1
            case .present: state.alpha = Alpha()
            case .alpha: break
            }
            return .none
          }
          .ifLet(
            \.$alpha, action: /Beta.Action.alpha, child: { itself }, fileID: "Beta.swift", line: 2)
        }, fileID: "Alpha.swift", line: 1)
    }
  }

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
