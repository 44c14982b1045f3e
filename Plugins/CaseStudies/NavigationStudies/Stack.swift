internal import AppCore

/// A stack of screens inside one feature: each element is one of several children.
///
/// The top screen does not know its parent: it asks for the next screen, which the parent appends,
/// or dismisses itself. The effects of a screen end with it.
struct Stack: Feature {
  struct Path: Destinations {
    let counter = Case(StackCounter(), screen: StackCounter.screen)
    let crossing = Case(StackCrossing(), screen: StackCrossing.screen)
    let timer = Case(StackTimer(), screen: StackTimer.screen)
  }
  struct State: Codable, Sendable, Equatable {
    var path: StackState<Path.State> = []
    var total: Int { path.reduce(0) { $0 + ($1.counter?.count ?? $1.timer?.count ?? 0) } }
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case crossingTapped, tourTapped, backTapped, rootTapped }
    case view(View)
    case path(StackActionOf<Path>)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.crossingTapped): state.path.append(Path.State.crossing(StackCrossing.State()))
      case .view(.tourTapped):
        state.path.append(Path.State.counter(StackCounter.State()))
        state.path.append(Path.State.crossing(StackCrossing.State()))
        state.path.append(Path.State.timer(StackTimer.State()))
      case .view(.backTapped): state.path.removeLast()
      case .view(.rootTapped): state.path.removeAll()
      case .path(.element(_, let action)):
        switch action.crossing {
        case .view(.counterTapped): state.path.append(Path.State.counter(StackCounter.State()))
        case .view(.timerTapped): state.path.append(Path.State.timer(StackTimer.State()))
        case nil: break
        }
      case .path: break
      }
      return .none
    }
    .forEach(\.path, action: /Action.path) { Path() }
  }

  // Going back leaves the feature only if the stack is empty.
  func screen(_ state: State) -> Screen<Action> {
    Screen("Stack", back: state.path.isEmpty ? nil : .backTapped) { screen in
      guard screen.embed(state.path, /Action.path) else {
        screen.button("Go to a crossing", id: "crossing", action: .crossingTapped)
        screen.button("Counter, crossing, timer", id: "tour", action: .tourTapped)
        return
      }
      screen.divider()
      screen.text("\(state.path.count) on the stack; counted to \(state.total) in all.")
      screen.button("To the root", id: "root", action: .rootTapped)
    }
  }
}

/// Counts, and dismisses itself.
struct StackCounter: Reducer {
  struct State: Codable, Sendable, Equatable { var count = 0 }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case incrementTapped, doneTapped }
    case view(View)
  }
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.incrementTapped):
      state.count += 1
      return .none
    case .view(.doneTapped): return .run { _ in await dismiss() }
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Counter") { screen in
      screen.text("The count is \(state.count).")
      screen.button("Increment", id: "increment", action: .incrementTapped)
      screen.button("Done", id: "done", action: .doneTapped)
    }
  }
}

/// Reports where the user wants to go; the parent pushes the screen.
struct StackCrossing: Reducer {
  struct State: Codable, Sendable, Equatable {}
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case counterTapped, timerTapped }
    case view(View)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Crossing") { screen in
      screen.button("To a counter", id: "counter", action: .counterTapped)
      screen.button("To a timer", id: "timer", action: .timerTapped)
    }
  }
}

/// Counts seconds until its screen ends; nobody has to stop it.
struct StackTimer: Reducer {
  struct State: Codable, Sendable, Equatable {
    var count = 0
    var isRunning = false
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case toggleTapped }
    enum Internal: Sendable, Equatable { case ticked }
    case view(View)
    case `internal`(Internal)
  }
  private enum CancelID { case timer }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.toggleTapped):
      state.isRunning.toggle()
      guard state.isRunning else { return .cancel(id: CancelID.timer) }
      return .timer(every: .seconds(1), .internal(.ticked)).cancellable(id: CancelID.timer)
    case .internal(.ticked):
      state.count += 1
      return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Timer") { screen in
      screen.text(state.count == 0 ? "Not begun" : "Ticking: \(state.count)")
      screen.button(state.isRunning ? "Stop" : "Start", id: "toggle", action: .toggleTapped)
    }
  }
}
