@_spi(Host) import AppCore
import Testing

@Home
@Suite("Effect: debounce, throttle and timer", .timeLimit(.minutes(30)))
struct EffectTimingTests {
  /// Ten times the number, after a while; other actions do nothing.
  private func tenfold(_ action: Note, _ timed: (Effect<Note>) -> Effect<Note>) -> Effect<Note> {
    guard case .took(let number) = action, number < 10 else { return .none }
    return timed(.send(.took(number * 10)))
  }

  @Test("A debounced effect is performed when no other has come for the duration")
  func debounce() async {
    let clock = ManualClock()
    let store = notingStore(clock) { action in
      tenfold(action) { $0.debounce(id: "search", for: .seconds(2)) }
    }
    let first = store.send(.took(1))
    clock.advance(by: .seconds(1))
    let second = store.send(.took(2))
    await first.finish()
    clock.advance(by: .seconds(2))
    await second.finish()
    await store.send(.go).finish()
    #expect(store.state == [.took(1), .took(2), .took(20), .go])
  }

  @Test("A debounced effect that waits is cancelled by its id")
  func cancelledDebounce() async {
    let clock = ManualClock()
    let store = notingStore(clock) { action in
      action == .stop
        ? .cancel(id: "search")
        : tenfold(action) { $0.debounce(id: "search", for: .seconds(2)) }
    }
    let task = store.send(.took(1))
    store.send(.stop)
    await task.finish()
    clock.advance(by: .seconds(5))
    #expect(store.state == [.took(1), .stop])
  }

  @Test("Of the effects in one interval the first is performed, and one more at its end")
  func throttle() async {
    for latest in [true, false] {
      let clock = ManualClock()
      let store = notingStore(clock) { action in
        tenfold(action) { $0.throttle(id: "save", for: .seconds(2), latest: latest) }
      }
      store.send(.took(1))
      #expect(store.state == [.took(1), .took(10)])
      let waiting = store.send(.took(2))
      store.send(.took(3))
      clock.advance(by: .seconds(2))
      await waiting.finish()
      #expect(store.state.dropFirst(2) == [.took(2), .took(3), latest ? .took(30) : .took(20)])
      // What was performed at the end began another interval.
      let next = store.send(.took(4))
      #expect(store.state.last == .took(4))
      clock.advance(by: .seconds(2))
      await next.finish()
      #expect(store.state.last == .took(40))
      clock.advance(by: .seconds(2))
      store.send(.took(5))
      #expect(store.state.last == .took(50))
    }
  }

  @Test("When the effect that waits was cancelled, the next one waits in its place")
  func cancelledThrottle() async {
    let clock = ManualClock()
    let store = notingStore(clock) { action in
      action == .stop
        ? .cancel(id: "saving")
        : tenfold(action) {
          $0.throttle(id: "save", for: .seconds(2), latest: false).cancellable(id: "saving")
        }
    }
    store.send(.took(1))
    let second = store.send(.took(2))
    store.send(.stop)
    let third = store.send(.took(3))
    await second.finish()
    clock.advance(by: .seconds(2))
    await third.finish()
    #expect(store.state == [.took(1), .took(10), .took(2), .stop, .took(3), .took(30)])
  }

  @Test("An effect that waits is performed though another comes when its interval is just over")
  func lateThrottle() async {
    for (next, ids) in [(2, 2), (5, 1)] {
      let clock = ManualClock()
      let store = notingStore(clock) { action in
        guard case .took(let number) = action else { return .none }
        return tenfold(action) {
          $0.throttle(id: number % ids, for: .seconds(2), latest: false)
        }
      }
      store.send(.took(1))
      let waiting = store.send(.took(3))
      clock.advance(by: .seconds(2))
      // Nothing has continued yet: this test is on the store's actor.
      await store.send(.took(next)).finish()
      await waiting.finish()
      #expect(store.state.contains(.took(30)), "\(store.state)")
      #expect(store.state.contains(.took(next * 10)) == (ids == 2), "\(store.state)")
    }
  }

  @Test("An effect that comes when the task of the waiting one was cancelled waits in its place")
  func cancelledTask() async {
    let clock = ManualClock()
    let store = notingStore(clock) { action in
      tenfold(action) { $0.throttle(id: "save", for: .seconds(2), latest: true) }
    }
    store.send(.took(1))
    let second = store.send(.took(2))
    second.cancel()
    let third = store.send(.took(3))
    await second.finish()
    clock.advance(by: .seconds(2))
    await third.finish()
    #expect(store.state == [.took(1), .took(10), .took(2), .took(3), .took(30)])
  }

  @Test("The intervals of a scope end with it")
  func throttleInScope() async {
    let clock = ManualClock()
    let store = notingStore(clock) { action in
      action == .stop
        ? .endScope("child")
        : tenfold(action) {
          $0.throttle(id: "save", for: .seconds(2), latest: true).scoped(to: "child")
        }
    }
    store.send(.took(1))
    let waiting = store.send(.took(2))
    store.send(.stop)
    await waiting.finish()
    store.send(.took(3))
    #expect(store.state == [.took(1), .took(10), .took(2), .stop, .took(3), .took(30)])
  }

  @Test("A timer ticks in each interval, makes up for late ticks, and ends when it is cancelled")
  func timer() async throws {
    let clock = ManualClock()
    let ticks = (0..<4).map { _ in Gate() }
    var values = DependencyValues()
    values.clock = clock.appClock
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Note> { count, action in
        switch action {
        case .go: return .timer(every: .seconds(1), .took(0)).cancellable(id: "timer")
        case .stop: return .cancel(id: "timer")
        case .took:
          ticks[count].open()
          count += 1
          return .none
        }
      })
    store.setDependencies(values)
    let task = store.send(.go)
    #expect(store.state == 0)
    clock.advance(by: .seconds(1))
    try await ticks[0].wait()
    clock.advance(by: .seconds(2))
    try await ticks[1].wait()
    try await ticks[2].wait()
    #expect(store.state == 3)
    store.send(.stop)
    await task.finish()
    clock.advance(by: .seconds(9))
    #expect(store.state == 3)
  }

  @Test("A timer whose interval is not above zero is left out and reported")
  func endlessTimer() {
    let line = #line + 2
    let reports = reported {
      let timers = [Duration.zero, .seconds(-1)].map {
        Effect<Note>.timer(every: $0, .took(7))
      }
      #expect(timers.map(\.isNone) == [true, true])
    }
    #expect(reports.count == 2)
    #expect(
      reports.first == """
        timer at AppCoreTests/EffectTimingTests.swift:\(line + 1): an interval of 0.0 seconds \
        would send without end; the timer was left out
          action: .took(7)
          - the interval comes from outside: check that it is above zero
        """)
  }
}
