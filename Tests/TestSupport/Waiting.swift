package import AppCore

/// A feature whose effects wait in many ways, each of several tasks.
///
/// One second after a form has begun it has sent 1, and nothing else.
package struct Waiting: Feature {
  package enum Form: String, CaseIterable, Codable, Sendable {
    case asyncLet, groupOfTwo, groupOfTen, merge, nestedChildren, timer, cancelledInFlight
    case mainActor, actor, yields

    /// What it has sent when no sleeper is left.
    package var all: [Int] {
      switch self {
      case .asyncLet, .groupOfTwo, .cancelledInFlight: [1, 2]
      case .merge, .timer: [1, 2, 3]
      case .nestedChildren: [1, 2, 3, 4, 5]
      case .groupOfTen: Array(1...10)
      case .mainActor, .actor, .yields: [1]
      }
    }
  }

  package struct State: Codable, Equatable, Sendable {
    package var sent: [Int] = []

    package init() {}
  }

  package enum Action: FeatureAction {
    package enum View: Codable, Sendable { case begin(Form), stopTapped, resetTapped }
    package enum Internal: Sendable { case came(Int) }
    case view(View)
    case `internal`(Internal)
  }

  private enum CancelID { case form }
  @Dependency(\.clock) private var clock

  package init() {}

  package func initialState(_ arguments: NoArguments) -> State { State() }

  package func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.begin(let form)):
      return effect(form).cancellable(id: CancelID.form, cancelInFlight: true)
    case .view(.stopTapped): return .cancel(id: CancelID.form)
    case .view(.resetTapped): state.sent = []
    case .internal(.came(let number)): state.sent.append(number)
    }
    return .none
  }

  package func screen(_ state: State) -> Screen<Action> {
    Screen("Waiting") { screen in
      for form in Form.allCases {
        screen.button(form.rawValue, id: form.rawValue, action: .begin(form))
      }
      screen.button("Stop", id: "stop", action: .stopTapped)
      screen.button("Reset", id: "reset", action: .resetTapped)
    }
  }
}

extension Waiting {
  private func effect(_ form: Form) -> Effect<Action> {
    switch form {
    case .asyncLet, .cancelledInFlight:
      .run { [clock] send in
        async let later: Void = clock.sleep(for: .seconds(2))
        try await clock.sleep(for: .seconds(1))
        await send(.internal(.came(1)))
        try await later
        await send(.internal(.came(2)))
      }
    case .groupOfTwo: group(of: 2)
    case .groupOfTen: group(of: 10)
    case .merge:
      .merge(
        (1...3).map { second in
          .run { [clock] send in
            try await clock.sleep(for: .seconds(second))
            await send(.internal(.came(second)))
          }
        })
    case .nestedChildren: nestedChildren()
    case .timer:
      .run { [clock] send in
        var count = 0
        for await _ in clock.timer(interval: .seconds(1)) {
          count += 1
          await send(.internal(.came(count)))
          if count == 3 { break }
        }
      }
    case .mainActor: beside { await Self.callMainActor() }
    case .actor: beside { await Tally().count() }
    case .yields: beside { for _ in 0..<5 { await Task.yield() } }
    }
  }

  private func group(of count: Int) -> Effect<Action> {
    .run { [clock] send in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for second in 1...count {
          group.addTask {
            try await clock.sleep(for: .seconds(second))
            return second
          }
        }
        for try await second in group { await send(.internal(.came(second))) }
      }
    }
  }

  /// Children that have children, each of which sends.
  private func nestedChildren() -> Effect<Action> {
    .run { [clock] send in
      async let first: Void = {
        async let third: Void = {
          try await clock.sleep(for: .seconds(3))
          await send(.internal(.came(3)))
        }()
        try await clock.sleep(for: .seconds(1))
        await send(.internal(.came(1)))
        try await third
      }()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for second in [5, 4] {
          group.addTask {
            try await clock.sleep(for: .seconds(second))
            await send(.internal(.came(second)))
          }
        }
        try await clock.sleep(for: .seconds(2))
        await send(.internal(.came(2)))
        try await group.waitForAll()
      }
      try await first
    }
  }

  /// Does `work` before and after a sleep, beside a task that sleeps all the time.
  private func beside(_ work: @escaping @Sendable () async -> Void) -> Effect<Action> {
    .run { [clock] send in
      async let later: Void = clock.sleep(for: .seconds(5))
      await work()
      try await clock.sleep(for: .seconds(1))
      await work()
      await send(.internal(.came(1)))
      try await later
    }
  }

  @MainActor private static func callMainActor() async { await Task.yield() }

  private actor Tally {
    private var number = 0

    func count() async {
      await withTaskGroup { group in
        for _ in 0..<5 { group.addTask { await self.increment() } }
      }
    }

    private func increment() { number += 1 }
  }
}

package struct WaitingPlugin: Plugin {
  package static let name = "Waits"
  package static let version = "1.0.0"

  package init(configuration: NoConfiguration) {}

  package static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Waiting.self) { _ in Waiting() }
  }
}
