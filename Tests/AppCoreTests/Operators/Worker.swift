import AppCore

/// The state of a child that works.
protocol WorkerState: Equatable, Sendable {
  var name: String { get set }
  var count: Int { get set }
}

/// A child's state without an identifier of its own.
struct Desk: WorkerState {
  var name: String
  var count = 0
}

/// A child's state with an identifier.
struct Seat: WorkerState, Identifiable {
  var name: String
  var count = 0
  var id: String { name }
}

/// What a worker is told.
enum Work: ComponentAction, Equatable {
  case begin
  case ask
  case stop
  case add
  case leave
}

/// A child with an effect that never ends by itself, under an id that every worker has, and one that
/// answers when the gate is open.
struct Worker<State: WorkerState>: Reducer {
  let log: Log
  let gate: Gate
  @Dependency(\.dismiss) var dismiss

  init(_ log: Log, gate: Gate = Gate()) { (self.log, self.gate) = (log, gate) }

  func reduce(into state: inout State, action: Work) -> Effect<Work> {
    switch action {
    case .begin: return endless(state.name, log).cancellable(id: "work", cancelInFlight: true)
    case .ask:
      return .run { [name = state.name, log, gate] send in
        try? await gate.wait()
        log.add("\(name) \(Task.isCancelled ? "is cancelled" : "answers")")
        await send(.add)
      }
    case .stop: return .cancel(id: "work")
    case .add:
      state.count += 1
      return .none
    case .leave: return .run { [dismiss] _ in await dismiss() }
    }
  }
}

/// An effect that never ends by itself, and notes when it is cancelled.
func endless<Action: ComponentAction>(_ name: String, _ log: Log) -> Effect<Action> {
  .run { _ in
    log.add("\(name) begins")
    do {
      try await Gate().wait()
    } catch {
      log.add("\(name) ends")
      throw error
    }
  }
}
