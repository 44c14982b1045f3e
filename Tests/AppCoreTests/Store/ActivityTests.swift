@_spi(Host) import AppCore
import Testing

@Home
@Suite("ActivityMonitor and AppClock")
struct ActivityTests {
  @Dependency(\.clock) private var clock

  /// A store with the effect `run` for `.go`, whose clock is driven by hand.
  private func store(
    _ manual: ManualClock, _ run: @escaping (AppClock) -> Effect<Note>
  ) -> Store<[Note], Note> {
    notingStore(manual) { $0 == .go ? run(self.clock) : .none }
  }

  @Test("A store is settled while its effects only wait on the clock, and busy again after that")
  func sleeping() async throws {
    let manual = ManualClock()
    let awake = Gate()
    let done = Gate()
    let store = store(manual) { clock in
      .run { send in
        try await clock.sleep(for: .seconds(10))
        awake.open()
        try await done.wait()
        await send(.took(1))
      }
    }
    let account = store.activityAccount
    #expect(account.isSettled)
    let task = store.send(.go)
    #expect(account.isSettled)
    manual.advance(by: .seconds(9))
    #expect(account.isSettled)
    manual.advance(by: .seconds(1))
    try await awake.wait()
    #expect(!account.isSettled)
    done.open()
    await task.finish()
    #expect(account.isSettled)
    #expect(store.state == [.go, .took(1)])
  }

  @Test("Effects that are at work again and again have settled in between")
  func flapping() async throws {
    let store = store(ManualClock()) { _ in
      .run { _ in
        while true {
          try await AppClock.continuous.sleep(for: .microseconds(50))
          await Task.yield()
        }
      }
    }
    let account = store.activityAccount
    let task = store.send(.go)
    for _ in 0..<1_000 { #expect(await account.settled(within: .seconds(600))) }
    task.cancel()
  }

  @Test("Waiting for anything but the clock is being at work, beside a sleep and in a sequence")
  func busy() async {
    let effects: [@Sendable (AppClock, Gate) -> Effect<Note>] = [
      { clock, gate in
        .merge(
          .run { _ in try await clock.sleep(for: .seconds(1)) },
          .run { _ in try await gate.wait() })
      },
      { _, gate in .concatenate(.run { _ in try await gate.wait() }, .send(.took(1))) },
    ]
    for effect in effects {
      let (gate, manual) = (Gate(), ManualClock())
      let store = store(manual) { effect($0, gate) }
      let account = store.activityAccount
      let task = store.send(.go)
      #expect(!account.isSettled)
      #expect(await account.settled(within: .milliseconds(1)) == false)
      gate.open()
      #expect(await account.settled(within: .seconds(60)))
      manual.advance(by: .seconds(1))
      await task.finish()
      #expect(account.isSettled)
    }
  }

  @Test("Of two sleeps in one effect the last to wake makes it busy, and its end settles it")
  func twoSleeps() async throws {
    let manual = ManualClock()
    let store = store(manual) { clock in
      .run { send in
        async let short: Void = clock.sleep(until: .seconds(1))
        async let long: Void = clock.sleep(until: .seconds(5))
        _ = try await (short, long)
        await send(.took(1))
      }
    }
    let account = store.activityAccount
    let task = store.send(.go)
    #expect(await account.settled(within: .seconds(60)))
    manual.advance(by: .seconds(1))
    #expect(await account.settled(within: .seconds(60)))
    manual.advance(by: .seconds(4))
    await task.finish()
    #expect(account.isSettled)
    #expect(store.state == [.go, .took(1)])
  }

  @Test("A cancelled sleeper ends, and the store stays settled")
  func cancelledSleeper() async {
    let store = store(ManualClock()) { clock in
      .run { send in
        try await clock.sleep(for: .seconds(1))
        await send(.took(1))
      }
    }
    let task = store.send(.go)
    task.cancel()
    await task.finish()
    #expect(store.activityAccount.isSettled == true)
    #expect(store.state == [.go])
  }

  @Test("An effect that waits keeps a store busy only while its steps are at work")
  func sequences() async throws {
    struct Kind: Hashable {}
    let step = Effect<Note>.send(.took(1))
    let effects: [(String, @Sendable (Gate) -> Effect<Note>)] = [
      ("a debounced action", { _ in step.debounce(id: Kind(), for: .seconds(1)) }),
      (
        "a debounced effect",
        { gate in
          .run { send in
            try await gate.wait()
            await send(.took(1))
          }
          .debounce(id: Kind(), for: .seconds(1))
        }
      ),
      (
        "a sequence in a sequence",
        { _ in
          .concatenate(
            .concatenate(.none, step.debounce(id: Kind(), for: .seconds(1)), .none), .none)
        }
      ),
    ]
    for (name, effect) in effects {
      let manual = ManualClock()
      let gate = Gate()
      let store = self.store(manual) { _ in effect(gate) }
      let account = store.activityAccount
      let task = store.send(.go)
      #expect(await account.settled(within: .seconds(60)), "\(name)")
      #expect(store.state == [.go])
      manual.advance(by: .seconds(1))
      gate.open()
      await task.finish()
      #expect(account.isSettled)
      #expect(store.state == [.go, .took(1)], "\(name)")
    }
  }

  @Test("The machine's clock continues, and a sleep that is due returns")
  func machineClock() async throws {
    let clock = AppClock.continuous
    let before = clock.now
    try await clock.sleep(for: .milliseconds(1))
    #expect(clock.now - before >= .milliseconds(1))
    try await clock.sleep(until: before)
  }

  @Test("A sleep of a cancelled task throws")
  func cancelledSleep() async {
    let task = Task { try await AppClock.continuous.sleep(for: .seconds(3600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
