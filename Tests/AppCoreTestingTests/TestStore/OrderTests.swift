@_spi(Host) import AppCore
import AppCoreTesting
import TestSupport
import Testing

@MainActor
@Suite("TestStore reduces in the order of Store", .timeLimit(.minutes(30)))
struct OrderTests {
  /// Its effects begin others while they run.
  private struct Letters: Reducer {
    enum Action: ComponentAction, Equatable { case a, b1, b2, b3, c1, c2, c3 }

    func reduce(into letters: inout [Action], action: Action) -> Effect<Action> {
      letters.append(action)
      return switch action {
      case .a:
        .run { send in
          await send(.b1)
          await send(.c1)
        }
      case .b1: .concatenate(.send(.b2), .send(.b3))
      case .c1: .concatenate(.send(.c2), .send(.c3))
      default: .none
      }
    }
  }

  @Test("A sequence that an effect begins by an action is reduced before the effect's next action")
  func sequences() async {
    let expected: [Letters.Action] = [.a, .b1, .b2, .b3, .c1, .c2, .c3]
    let store = Store(initialState: [], isolation: MainActor.shared) { Letters() }
    await store.send(.a).finish()
    #expect(store.state == expected)

    let testStore = TestStore(initialState: []) { Letters() }
    await testStore.send(.a) { $0 = [.a] }
    for letter in expected.dropFirst() { await testStore.receive(letter) { $0.append(letter) } }
  }

  private typealias Action = ProgramRunner.Action
  /// What a test does: sends an action, or advances the clock by a second.
  private typealias Deed = Action?

  /// The actions that are reduced after each deed, and the state then.
  private struct Course: Equatable {
    var actions: [[Action]] = []
    var states: [ProgramRunner.State] = []
  }

  @Test("The actions of random reducers are the same, in the same order")
  func random() async {
    var count = 0
    var repeated = 0
    let seeds = runsAllTests ? 10_000 : 300
    for seed in 0..<UInt64(seeds) {
      var random = SplitMix64(seed: seed)
      let reducer = ProgramRunner(using: &random)
      let deeds: [Deed] = (0..<4).map { _ in
        switch Int.random(in: 0...5, using: &random) {
        case 0, 1: .view(0)
        case 2: .child(.view(0))
        case 3: .presented(.presented(.view(0)))
        default: nil
        }
      }
      var expected = await course(of: reducer, deeds)
      var found = await testCourse(of: reducer, deeds, expected)
      // What several effects do off the store's actor at the same time happens in any order there,
      // and as many actions are received as it had. Two in a thousand programs depend on that.
      if found != expected { repeated += 1 }
      for _ in 0..<200 where found != expected {
        expected = await course(of: reducer, deeds)
        if found != expected { found = await testCourse(of: reducer, deeds, expected) }
      }
      #expect(found == expected, "seed \(seed)")
      count += found.actions.reduce(0) { $0 + $1.count }
    }
    #expect(count > 1_000)
    #expect(repeated <= 3 + seeds / 50)
  }

  /// What happens in a store.
  private func course(of reducer: ProgramRunner, _ deeds: [Deed]) async -> Course {
    let clock = TestClock()
    let store = Store(initialState: ProgramRunner.State(), isolation: MainActor.shared) {
      reducer
    } withDependencies: {
      $0.clock = clock.appClock
    }
    var course = Course()
    var actions: [Action] = []
    let observation = store.onActions { actions.append($0.action) }
    for deed in deeds {
      actions = []
      if let action = deed {
        if !action.isForNobody(in: store.state) { store.sendAny(action) }
        _ = await store.activityAccount.settled(within: .seconds(60))
      } else {
        await clock.advance(by: .seconds(1))
      }
      course.actions.append(actions)
      course.states.append(store.state)
    }
    withExtendedLifetime(observation) { store.endEffects() }
    return course
  }

  /// What happens in a test's store, from which as many actions are received as are expected.
  private func testCourse(
    of reducer: ProgramRunner, _ deeds: [Deed], _ expected: Course
  ) async -> Course {
    let clock = TestClock()
    let store = TestStore(initialState: ProgramRunner.State()) {
      reducer
    } withDependencies: {
      $0.clock = clock.appClock
      $0.dismiss = DismissEffect(nil)
    }
    store.exhaustivity = .off
    store.sendChainLimit = nil
    var course = Course()
    for (deed, expected) in zip(deeds, expected.actions) {
      var actions: [Action] = []
      switch deed {
      case let action? where action.isForNobody(in: store.state): break
      case .view(let number)?:
        actions.append(.view(number))
        await store.send(number)
      case .child(let action)?:
        actions.append(.child(action))
        await store.send(/Action.child, action)
      case .presented(let action)?:
        actions.append(.presented(action))
        await store.send(/Action.presented, action)
      default: await clock.advance(by: .seconds(1))
      }
      while actions.count < expected.count {
        var next: Action?
        await withKnownIssue(isIntermittent: true) {
          await store.receive(
            where: {
              next = $0
              return true
            }, timeout: .zero)
        }
        guard let next else { break }
        actions.append(next)
      }
      await store.skipReceivedActions(strict: false)
      course.actions.append(actions)
      course.states.append(store.state)
    }
    await store.skipInFlightEffects(strict: false)
    await store.finish()
    return course
  }
}

extension ProgramRunner.Action {
  /// Whether it is for a child that is not presented.
  fileprivate func isForNobody(in state: ProgramRunner.State) -> Bool {
    if case .presented = self { state.presented == nil } else { false }
  }
}
