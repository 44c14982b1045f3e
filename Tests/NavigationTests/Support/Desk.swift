import AppCore

/// Has a child at each kind of place, which answers after a delay and notes its count then.
///
/// Its input action replaces them, outside of the reducer that has them. Its last effect takes as long
/// as an answer.
struct Desk: Feature {
  /// The actions that ask a child, in structural form.
  static let asks: [Value] = [
    .object(["presented": .object(["presented": .string("ask")])]),
    .object(["identified": .string("ask")]),
    .object(["stack": element(.object(["generation": .int(0)]))]),
    .object(["rows": element(.int(1))]),
  ].map { .object(["family": $0]) }
  /// An action of the reducer that has the children, and for none of them.
  static let touch = Value.object(["family": .string("touch")])
  static let replace = Value.object(["input": .string("replace")])
  static let delay = Duration.seconds(1)

  private static func element(_ id: Value) -> Value {
    .object(["element": .object(["id": id, "action": .string("ask")])])
  }

  struct Child: Reducer {
    struct State: Codable, Equatable, Identifiable, Sendable {
      let id: Int
      var count = 0
    }
    enum Action: ComponentAction { case ask, answered }

    @Dependency(\.clock) private var clock
    @Dependency(\.workRecord) private var record

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .ask:
        return .run { [clock] send in
          try await clock.sleep(for: Desk.delay)
          await send(.answered)
        }
      case .answered:
        state.count += 1
        record.append("\(state.count)")
        return .none
      }
    }
  }

  struct Family: Reducer {
    struct State: Codable, Sendable {
      @Presented var presented: Child.State?
      var identified: Child.State?
      var stack: StackState<Child.State>
      var rows: IdentifiedArray<Child.State>

      init(_ id: Int) {
        presented = Child.State(id: id)
        identified = Child.State(id: id)
        stack = [Child.State(id: id)]
        rows = [Child.State(id: id)]
      }
    }
    enum Action: ComponentAction {
      case presented(PresentationAction<Child.Action>)
      case identified(Child.Action)
      case stack(StackAction<Child.State, Child.Action>)
      case rows(IdentifiedAction<Int, Child.Action>)
      case touch
    }

    var body: some ReducerOf<Self> {
      EmptyReducer<State, Action>()
        .ifLet(\.$presented, action: /Action.presented) { Child() }
        .ifLet(\.identified, action: /Action.identified) { Child() }
        .forEach(\.stack, action: /Action.stack) { Child() }
        .forEach(\.rows, action: /Action.rows) { Child() }
    }
  }

  struct State: Codable, Sendable { var family = Family.State(1) }

  enum Action: FeatureAction {
    enum Input: Codable, Sendable { case replace }
    case input(Input)
    case family(Family.Action)
  }

  @Dependency(\.clock) private var clock

  func initialState(_ arguments: NoArguments) -> State { State() }

  func willEnd(_ state: inout State) -> Effect<Action> {
    .run { [clock] _ in try await clock.sleep(for: Desk.delay) }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.family, action: /Action.family) { Family() }
    Reduce { state, action in
      if case .input(.replace) = action { state.family = Family.State(2) }
      return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> { Screen("Desk") { _ in } }
}
