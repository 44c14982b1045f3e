import AppCore

/// A random program: what a reducer returns for each of its actions, which are numbers.
///
/// An action only leads to actions with higher numbers, so every program ends.
struct RandomProgram: Sendable {
  private indirect enum Plan: Sendable {
    case none, send(Int), delegate(Int)
    case run([Step])
    case merge([Plan]), concatenate([Plan])
    case cancellable(Plan, id: Int, cancelInFlight: Bool)
    case cancel(id: Int)
  }
  private enum Step: Sendable {
    case send(Int), delegate(Int), sleep(Int), dismiss
    case part([Step], id: Int)
  }
  /// What happens to the presented child.
  enum Change: Sendable { case none, present, drop }

  private static let count = 7
  private var plans: [Plan] = []
  private var changes: [Change] = []

  init(using random: inout some RandomNumberGenerator) {
    for number in 0..<Self.count {
      plans.append(Self.plan(after: number, 3, &random))
      changes.append([.none, .none, .present, .drop].randomElement(using: &random) ?? .none)
    }
  }

  private static func plan(
    after number: Int, _ depth: Int, _ random: inout some RandomNumberGenerator
  ) -> Plan {
    guard number + 1 < count else { return .none }
    let next = Int.random(in: (number + 1)..<count, using: &random)
    let id = Int.random(in: 0...1, using: &random)
    func plans(_ random: inout some RandomNumberGenerator) -> [Plan] {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        plan(after: number, depth - 1, &random)
      }
    }
    switch Int.random(in: 0...(depth == 0 ? 3 : 9), using: &random) {
    case 0: return .none
    case 1: return .send(next)
    case 2: return .delegate(next)
    case 3, 4: return .run(steps(after: number, &random))
    case 5, 6: return .merge(plans(&random))
    case 7: return .concatenate(plans(&random))
    case 8:
      return .cancellable(
        plan(after: number, depth - 1, &random), id: id,
        cancelInFlight: Bool.random(using: &random))
    default: return .cancel(id: id)
    }
  }

  private static func steps(
    after number: Int, _ random: inout some RandomNumberGenerator
  ) -> [Step] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let next = Int.random(in: (number + 1)..<count, using: &random)
      switch Int.random(in: 0...9, using: &random) {
      case 0...4: return .send(next)
      case 5: return .delegate(next)
      case 6, 7: return .sleep(Int.random(in: 1...3, using: &random))
      case 8:
        return .part(
          [.send(next), .sleep(1), .send(next)], id: Int.random(in: 0...1, using: &random))
      default: return .dismiss
      }
    }
  }

  func change(_ number: Int) -> Change {
    changes.indices.contains(number) ? changes[number] : .none
  }

  func effect<Action: FeatureAction>(_ number: Int) -> Effect<Action>
  where Action.Internal == Int, Action.Delegate == Int {
    plans.indices.contains(number) ? effect(plans[number]) : .none
  }

  private func effect<Action: FeatureAction>(_ plan: Plan) -> Effect<Action>
  where Action.Internal == Int, Action.Delegate == Int {
    switch plan {
    case .none: .none
    case .send(let number): .send(.internal(number))
    case .delegate(let number): .send(.delegate(number))
    case .run(let steps): .run { send in try await Self.run(steps, send) }
    case .merge(let plans): .merge(plans.map { effect($0) })
    case .concatenate(let plans): .concatenate(plans.map { effect($0) })
    case .cancellable(let plan, let id, let cancelInFlight):
      effect(plan).cancellable(id: id, cancelInFlight: cancelInFlight)
    case .cancel(let id): .cancel(id: id)
    }
  }

  private static func run<Action: FeatureAction>(
    _ steps: [Step], _ send: isolated Send<Action>
  ) async throws where Action.Internal == Int, Action.Delegate == Int {
    @Dependency(\.clock) var clock
    @Dependency(\.dismiss) var dismiss
    for step in steps {
      switch step {
      case .send(let number): await send(.internal(number))
      case .delegate(let number): await send(.delegate(number))
      case .sleep(let seconds): try await clock.sleep(for: .seconds(seconds))
      case .dismiss: if dismiss.isPresented { await dismiss() }
      case .part(let steps, let id):
        try? await send.withTaskCancellation(id: id) { send in try await run(steps, send) }
      }
    }
  }
}

/// Runs one program, and another one in each of two children.
struct ProgramRunner: Reducer {
  let program: RandomProgram
  let child: RandomProgram

  struct State: Equatable {
    var numbers: [Int] = []
    var child = Child.State()
    @Presented var presented: Child.State?
  }
  enum Action: FeatureAction, Equatable {
    case view(Int)
    case `internal`(Int)
    case delegate(Int)
    case child(Child.Action)
    case presented(PresentationAction<Child.Action>)
  }

  struct Child: Reducer {
    let program: RandomProgram

    struct State: Equatable { var numbers: [Int] = [] }
    enum Action: FeatureAction, Equatable {
      case view(Int)
      case `internal`(Int)
      case delegate(Int)
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .view(let number), .internal(let number):
        state.numbers.append(number)
        return program.effect(number)
      case .delegate: return .none
      }
    }
  }

  init(using random: inout some RandomNumberGenerator) {
    program = RandomProgram(using: &random)
    child = RandomProgram(using: &random)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: /Action.child) { Child(program: child) }
    Reduce { state, action in
      switch action {
      case .view(let number), .internal(let number), .child(.delegate(let number)),
        .presented(.presented(.delegate(let number))):
        state.numbers.append(number)
        switch program.change(number) {
        case .none: break
        case .present: state.presented = Child.State()
        case .drop: state.presented = nil
        }
        return program.effect(number)
      default: return .none
      }
    }
    .ifLet(\.$presented, action: /Action.presented) { Child(program: child) }
  }
}
