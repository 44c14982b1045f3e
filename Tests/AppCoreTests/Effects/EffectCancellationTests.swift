@_spi(Host) import AppCore
import Testing

@Home
@Suite("Effect: cancellation and scopes")
struct EffectCancellationTests {
  @Test("An effect is ended by its id, and no other is")
  func cancel() async {
    let log = Log()
    let store = notingStore { action in
      switch action {
      case .go:
        .merge(
          endless("a", log).cancellable(id: "a"), endless("b", log).cancellable(id: 1),
          .cancel(id: "nothing has this id"))
      case .stop: .cancel(id: "a")
      case .took: .cancel(id: 1)
      }
    }
    let task = store.send(.go)
    #expect(log.lines == ["a begins", "b begins"])
    store.send(.stop)
    store.send(.took(0))
    await task.finish()
    #expect(log.lines.prefix(2) == ["a begins", "b begins"])
    #expect(Set(log.lines.suffix(2)) == ["a ends", "b ends"])
  }

  @Test("A part of an effect is ended by its id, and the effect continues")
  func part() async {
    let log = Log()
    let store = notingStore { action in
      switch action {
      case .go:
        .run { send in
          let number = await send.withTaskCancellation(id: "part") { send in
            log.add("the part runs")
            try? await Gate().wait()
            await send(.took(1))
            return 2
          }
          log.add("the effect continues")
          await send(.took(number))
        }
      case .stop: .cancel(id: "part")
      case .took: .none
      }
    }
    let task = store.send(.go)
    #expect(log.lines == ["the part runs"])
    store.send(.stop)
    await task.finish()
    #expect(log.lines == ["the part runs", "the effect continues"])
    #expect(store.state == [.go, .stop, .took(2)])
  }

  @Test("Cancelling an effect cancels its part, and a part with the same id takes its place")
  func partOfCancelled() async {
    let log = Log()
    let store = notingStore { action in
      guard case .took(let number) = action, number < 10 else { return .cancel(id: "whole") }
      return .run { send in
        do {
          try await send.withTaskCancellation(id: "part", cancelInFlight: true) { _ in
            try await Gate().wait()
          }
        } catch {
          log.add("\(number) \(Task.isCancelled ? "cancelled" : "continues")")
        }
      }
      .cancellable(id: "whole")
    }
    let tasks = [1, 2].map { store.send(.took($0)) }
    await tasks[0].finish()
    #expect(log.lines == ["1 continues"])
    store.send(.stop)
    await tasks[1].finish()
    #expect(log.lines == ["1 continues", "2 cancelled"])
  }

  @Test("With cancelInFlight a new effect takes the place of the one before")
  func cancelInFlight() async {
    let log = Log()
    let gate = Gate()
    let store = notingStore { action in
      guard case .took(let number) = action, number < 10 else { return .none }
      return .run { send in
        log.add("\(number) runs")
        try await gate.wait()
        await send(.took(number * 10))
      }
      .cancellable(id: "search", cancelInFlight: true)
    }
    let tasks = [1, 2, 3].map { store.send(.took($0)) }
    gate.open()
    for task in tasks { await task.finish() }
    #expect(log.lines == ["1 runs", "2 runs", "3 runs"])
    #expect(store.state == [.took(1), .took(2), .took(3), .took(30)])
  }

  @Test("Without cancelInFlight effects with one id run together, and end together")
  func together() async {
    let log = Log()
    let store = notingStore { action in
      switch action {
      case .took(let number): endless("\(number)", log).cancellable(id: "all")
      case .go: .none
      case .stop: .cancel(id: "all")
      }
    }
    let tasks = [1, 2, 3].map { store.send(.took($0)) }
    store.send(.stop)
    for task in tasks { await task.finish() }
    #expect(Set(log.lines.suffix(3)) == ["1 ends", "2 ends", "3 ends"])
  }

  @Test("An effect under two ids is ended by either of them")
  func twoIDs() async {
    for id in ["inner", "outer"] {
      let log = Log()
      let store = notingStore { action in
        action == .go
          ? endless("it", log).cancellable(id: "inner").cancellable(id: "outer")
          : .cancel(id: id)
      }
      let task = store.send(.go)
      store.send(.stop)
      await task.finish()
      #expect(log.lines == ["it begins", "it ends"])
    }
  }

  @Test("The end of a scope ends all that was started in it, and nothing else")
  func scopes() async {
    let log = Log()
    let store = notingStore { action in
      switch action {
      case .took(let number):
        .merge(
          endless("plain \(number)", log),
          .concatenate(.send(.stop), endless("named \(number)", log).cancellable(id: "x"))
        )
        .scoped(to: number)
      case .go: .merge(Effect.cancel(id: "x").scoped(to: 3), .endScope(1))
      case .stop: .none
      }
    }
    let first = store.send(.took(1))
    let second = store.send(.took(2))
    // What follows `.send` begins when that action has been reduced.
    while log.lines.count < 4 { await Task.yield() }
    // The id of the same name in another scope is another one.
    store.send(.go)
    await first.finish()
    #expect(Set(log.lines.suffix(2)) == ["plain 1 ends", "named 1 ends"])
    #expect(log.lines.count == 6)
    #expect(store.activityAccount.isSettled == false)
    second.cancel()
    await second.finish()
  }

  @Test("A parent ends its children's effects by their id, not its siblings' or its own parent's")
  func ofChildren() async {
    #expect(
      await Tree.ended(by: .stop)
        == ["all", "row 1", "detail of row 1", "row 2", "detail of row 2"])
    #expect(
      await Tree.ended(by: .rows(.element(id: "row 1", action: .own(.stop))))
        == ["row 1", "detail of row 1"])
    #expect(
      await Tree.ended(by: .rows(.element(id: "row 2", action: .detail(.stop))))
        == ["detail of row 2"])
  }

  @Test("cancelInFlight ends the reducer's own effects with the id, not its children's")
  func inFlightOfChildren() async {
    #expect(await Tree.ended(by: .rows(.element(id: "row 1", action: .own(.leave)))) == ["row 1"])
    let begin = Tree.Action.rows(.element(id: "row 1", action: .own(.begin)))
    let log = Log()
    let store = Store(initialState: Tree.State(), reducer: Tree(log: log))
    defer { store.endEffects() }
    store.send(.rows(.element(id: "row 1", action: .detail(.begin))))
    let first = store.send(begin)
    store.send(begin)
    await first.finish()
    #expect(log.lines == ["detail 1 begins", "row 1 begins", "row 1 begins", "row 1 ends"])
  }
}

/// Two rows, each with a detail, whose effects all have the same id.
private struct Tree: Reducer {
  struct Row: Reducer {
    struct State: Equatable, Identifiable {
      let id: String
      var detail: Desk
    }
    enum Action: ComponentAction {
      case own(Work)
      case detail(Work)
    }
    let log: Log
    var body: some ReducerOf<Self> {
      Scope(state: \.detail, action: /Action.detail) { Worker<Desk>(log) }
      Reduce { state, action in
        switch action {
        case .own(.begin): endless(state.id, log).cancellable(id: "work", cancelInFlight: true)
        case .own(.stop): .cancel(id: "work")
        case .own(.leave): Effect.none.cancellable(id: "work", cancelInFlight: true)
        default: .none
        }
      }
    }
  }
  struct State: Equatable {
    var rows: IdentifiedArrayOf<Row.State> = [
      Row.State(id: "row 1", detail: Desk(name: "detail 1")),
      Row.State(id: "row 2", detail: Desk(name: "detail 2")),
    ]
  }
  enum Action: ComponentAction {
    case begin
    case stop
    case rows(IdentifiedActionOf<Row>)
  }
  let log: Log
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .begin: endless("all", log).cancellable(id: "work", cancelInFlight: true)
      case .stop: .cancel(id: "work")
      case .rows: .none
      }
    }
    .forEach(\.rows, action: /Action.rows) { Row(log: log) }
  }

  /// Begins everything, from the details up, and then sends an action.
  ///
  /// - Returns: what runs no more.
  @Home static func ended(by action: Action) async -> [String] {
    let log = Log()
    let store = Store(initialState: State(), reducer: Tree(log: log))
    let observation = store.onActions { _ in }
    defer { withExtendedLifetime(observation) { store.endEffects() } }
    for row in ["row 1", "row 2"] {
      store.send(.rows(.element(id: row, action: .detail(.begin))))
      store.send(.rows(.element(id: row, action: .own(.begin))))
    }
    store.send(.begin)
    #expect(store.actionsWithEffects.count == 5)
    store.send(action)
    let running = store.actionsWithEffects.map { action in
      switch action {
      case .begin?: "all"
      case .rows(.element(let row, .own))?: row
      case .rows(.element(let row, .detail))?: "detail of \(row)"
      default: "?"
      }
    }
    return ["all", "row 1", "detail of row 1", "row 2", "detail of row 2"]
      .filter { !running.contains($0) }
  }
}
