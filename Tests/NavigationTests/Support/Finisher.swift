import AppCore

/// Runs until it is removed, and saves in two steps then; keeps a record of all of it.
///
/// One whose tag is `idle` has nothing to save; one that is `stuck` never gets done.
struct Finisher: Feature {
  typealias Arguments = MockArguments

  struct State: Codable, Hashable, Sendable {
    let tag: String
    var steps = 0
  }

  enum Action: FeatureAction {
    enum Internal: Sendable { case saved }
    case view(Probe.Action.View)
    case `internal`(Internal)
    case delegate(MockDelegate)
  }

  @Dependency(\.workRecord) private var record

  func initialState(_ arguments: MockArguments) throws -> State {
    if arguments.tag == MockArguments.refused { throw MockRefusal() }
    return State(tag: arguments.tag ?? "finisher")
  }

  func didStart(_ state: inout State) -> Effect<Action> { forever(state.tag) }

  func willEnd(_ state: inout State) -> Effect<Action> {
    record.append("\(state.tag) ends")
    return switch state.tag {
    case "idle": .none
    case "stuck": forever("stuck end")
    default: .run { await $0(.internal(.saved)) }
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.typed(let text)):
      return .merge(MockDelegate.all(in: text).map { .send(.delegate($0)) })
    case .internal(.saved):
      state.steps += 1
      record.append("\(state.tag) saved \(state.steps)")
      guard state.steps < 2 else { return .send(.delegate(.go(text: "done"))) }
      return .run { await $0(.internal(.saved)) }
    case .delegate: return .none
    }
  }

  private func forever(_ name: String) -> Effect<Action> {
    .run { [record] _ in
      let (stream, continuation) = AsyncStream<Never>.makeStream()
      await withTaskCancellationHandler {
        for await _ in stream {}
      } onCancel: {
        record.append("\(name) cancelled")
        continuation.finish()
      }
    }
  }
}
