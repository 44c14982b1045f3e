internal import AppCore
import AppCoreHostTesting
import AppCoreTesting
import Synchronization
import Testing

@Suite("TestClock")
struct TestClockTests {
  /// Sleeps to the moments given, and notes in which order it is woken.
  struct Alarms: Feature {
    @Dependency(\.clock) var clock

    struct Arguments: Codable, Sendable {
      var moments: [Int]
    }
    struct State: Codable, Sendable, Hashable {
      let moments: [Int]
      var rung: [String] = []
    }
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case stopTapped }
      enum Internal: Sendable { case rang(String) }
      case view(View)
      case `internal`(Internal)
    }
    enum Name { case alarms }

    func initialState(_ arguments: Arguments) -> State { State(moments: arguments.moments) }

    func didStart(_ state: inout State) -> Effect<Action> {
      let clock = clock
      var effects = Effect<Action>.none
      for (index, moment) in state.moments.enumerated() {
        effects = .merge(
          effects,
          .run { send in
            try await clock.sleep(until: .seconds(moment))
            await send(.internal(.rang("\(index) at \(clock.now)")))
          })
      }
      return effects.cancellable(id: Name.alarms)
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .view(.stopTapped): return .cancel(id: Name.alarms)
      case .internal(.rang(let text)):
        state.rung.append(text)
        return .none
      }
    }

    func screen(_ state: State) -> Screen<Action> {
      Screen("Alarms") { $0.button("Stop", id: "stop", action: .stopTapped) }
    }
  }

  struct AlarmsPlugin: Plugin {
    static let name = "Alarms"
    static let version = "1.0.0"
    init(configuration: NoConfiguration) {}
    static func register(in registry: inout PluginRegistry<Self>) {
      registry.feature(Alarms.self) { _ in Alarms() }
    }
  }

  func app(_ moments: [Int], clock: TestClock = TestClock()) async throws -> AppHarness {
    try await AppHarness(
      text: """
        appcore: 1
        name: alarms
        plugins: [Alarms]
        start: alarms
        nodes:
          alarms: { feature: Alarms.Alarms, with: { moments: \(moments) } }

        """, plugins: [AlarmsPlugin.self], clock: clock)
  }

  @Test("Sleepers are woken by deadline, then in the order in which they went to sleep")
  func order() async throws {
    let app = try await app([3, 1, 2, 1])
    #expect(app.clock.sleeperCount == 4)
    await app.clock.advance(by: .seconds(2))
    #expect(
      await app.state["rung"] == ["1 at 1.0 seconds", "3 at 1.0 seconds", "2 at 2.0 seconds"])
    #expect(app.clock.now == .seconds(2))
    await app.clock.advance(to: .milliseconds(2999))
    #expect(app.clock.sleeperCount == 1)
    // A moment that has passed is not returned to.
    await app.clock.advance(to: .seconds(1))
    #expect(app.clock.now == .milliseconds(2999))
    await app.clock.run()
    #expect(app.clock.now == .seconds(3))
    #expect(app.clock.sleeperCount == 0)
    guard case .array(let rung) = await app.state["rung"] else { return }
    #expect(rung.count == 4)
  }

  @Test("A thousand effects are woken in order, every time")
  func many() async throws {
    let app = try await app((0..<1000).map { 1 + $0 * 7919 % 1000 })
    await app.clock.run()
    guard case .array(let rung)? = await app.state["rung"] else {
      Issue.record("nothing rang")
      return
    }
    let moments = rung.compactMap { value -> Int? in
      guard case .string(let text) = value else { return nil }
      return text.split(separator: " ").dropFirst(2).first.flatMap { Double($0) }.map { Int($0) }
    }
    #expect(moments == Array(1...1000))
  }

  @Test("Cancelled sleepers are gone at once")
  func cancelled() async throws {
    let app = try await app([5, 5, 9])
    try await app.type("@stop")
    #expect(app.clock.sleeperCount == 0)
    await app.clock.run()
    #expect(app.clock.now == .zero)
    #expect(await app.state["rung"] == [])
  }

  @Test("A moment that has come already is not waited for")
  func past() async throws {
    let clock = TestClock()
    await clock.advance(by: .seconds(10))
    try await clock.appClock.sleep(until: .seconds(4))
    #expect(clock.now == .seconds(10))
    let app = try await app([4, 11], clock: clock)
    #expect(await app.state["rung"] == ["0 at 10.0 seconds"])
  }

  @Test("'advance' without an argument wakes those who are due already, and nobody else")
  func due() async throws {
    let app = try await app([0, 1, 0])
    #expect(app.clock.sleeperCount == 3)
    await app.clock.advance()
    #expect(await app.state["rung"] == ["0 at 0.0 seconds", "2 at 0.0 seconds"])
    #expect(app.clock.now == .zero)
    await app.clock.advance()
    #expect(app.clock.sleeperCount == 1)
    await app.clock.advance(by: .seconds(1))
    await app.clock.advance()
    #expect(
      await app.state["rung"] == [
        "0 at 0.0 seconds", "2 at 0.0 seconds", "1 at 1.0 seconds",
      ])
  }

  @Test("A sleeper outside of effects is woken too, and can be cancelled")
  func outsideOfStores() async throws {
    let clock = TestClock()
    let task = Task { try await clock.appClock.sleep(for: .seconds(1)) }
    while clock.sleeperCount == 0 { await Task.yield() }
    await clock.advance(by: .seconds(1))
    try await task.value
    let other = Task { try await clock.appClock.sleep(for: .seconds(1)) }
    while clock.sleeperCount == 0 { await Task.yield() }
    other.cancel()
    await #expect(throws: CancellationError.self) { try await other.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test("A timer without end is reported, and does not keep the test")
  func endless() async throws {
    let app = try await AppHarness(
      manifest: Project.path("Tests/Fixtures/manifests/mocks/good.yaml"))
    try await app.emit("tree", "countdownRequested", ["seconds": -1])
    let issues = await collectedIssues { await app.clock.run(limit: 5) }
    #expect(
      issues == [
        """
        TestClock.run() woke 5 sleepers, and 1 are left. An effect probably waits again and \
        again, like a timer: use 'advance(by:)', or end the effect first.
        """
      ])
    #expect(await app.state["left"] == -6)
  }

  @Test("Time that goes back wakes nobody and changes nothing")
  func backwards() async {
    let clock = TestClock()
    await clock.advance(by: .seconds(3))
    await clock.advance(by: .seconds(-2))
    #expect(clock.now == .seconds(3))
  }
}
