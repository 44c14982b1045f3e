import AppCore

/// A family of reducers in which a store can be scoped in every way: features and components.
struct Family: Reducer {
  struct Leaf: Reducer {
    struct State: Equatable, Identifiable {
      let id: Int
      var count = 0
    }
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case addTapped, saveTapped, waitTapped }
      enum Internal: Sendable { case added }
      enum Delegate: Codable, Sendable, Equatable { case saved(Int) }
      case view(View)
      case `internal`(Internal)
      case delegate(Delegate)
    }
    let gate: Gate?
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .view(.addTapped): state.count += 1
      case .view(.saveTapped): return .send(.delegate(.saved(state.count)))
      case .view(.waitTapped):
        let gate = gate
        return .run { send in
          try await gate?.wait()
          await send(.internal(.added))
        }
      case .internal(.added): state.count += 1
      case .delegate: state.count = -1
      }
      return .none
    }
  }

  struct Middle: Reducer {
    struct State: Equatable {
      var leaf = Leaf.State(id: 0)
      var optional: Leaf.State?
      @Presented var presented: Leaf.State?
      var rows: IdentifiedArray<Leaf.State> = []
      var path = StackState<Leaf.State>()
    }
    enum Action: ComponentAction {
      case leaf(Leaf.Action)
      case optional(Leaf.Action)
      case presented(PresentationAction<Leaf.Action>)
      case rows(IdentifiedAction<Int, Leaf.Action>)
      case path(StackAction<Leaf.State, Leaf.Action>)
      case fill
      case empty
    }
    let gate: Gate?
    var body: some ReducerOf<Self> {
      Scope(state: \.leaf, action: /Action.leaf) { Leaf(gate: gate) }
      Reduce<State, Action> { state, action in
        switch action {
        case .fill:
          state.optional = Leaf.State(id: 1)
          state.presented = Leaf.State(id: 2)
          state.rows = [Leaf.State(id: 3), Leaf.State(id: 4)]
          state.path = [Leaf.State(id: 5)]
        case .empty:
          state.optional = nil
          state.presented = nil
          state.rows = []
          state.path.removeAll()
        default: break
        }
        return .none
      }
      .ifLet(\.optional, action: /Action.optional) { Leaf(gate: gate) }
      .ifLet(\.$presented, action: /Action.presented) { Leaf(gate: gate) }
      .forEach(\.rows, action: /Action.rows) { Leaf(gate: gate) }
      .forEach(\.path, action: /Action.path) { Leaf(gate: gate) }
    }
  }

  enum Shape: Equatable {
    case round(Leaf.State)
    case square
  }

  struct State: Equatable {
    var middle = Middle.State()
    var shape = Shape.round(Leaf.State(id: 9))
    /// How many actions the root has reduced.
    var reduced = 0
  }

  enum Action: ComponentAction {
    case middle(Middle.Action)
    case shape(Leaf.Action)
    case nothing
  }

  var gate: Gate?

  var body: some ReducerOf<Self> {
    Reduce<State, Action> { state, action in
      state.reduced += 1
      if case .shape(.view(.addTapped)) = action, case .round(var leaf) = state.shape {
        leaf.count += 1
        state.shape = .round(leaf)
      }
      return .none
    }
    Scope(state: \.middle, action: /Action.middle) { Middle(gate: gate) }
  }

  @Home static func store(gate: Gate? = nil) -> Store<State, Action> {
    Store(initialState: State(), reducer: Family(gate: gate))
  }
}
