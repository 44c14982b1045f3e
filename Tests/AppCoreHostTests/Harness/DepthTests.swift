import AppCore
import AppCoreHostTesting
import AppCoreTesting
import TestSupport
import Testing

/// A depth that people never reach, and programs do.
@Suite(
  "Very many levels", .notThreadSanitized("one thread for 100,000 steps, in which nothing can race")
)
struct DepthTests {
  static let depth = runsAllTests ? 100_000 : 20_000

  func app(verb: String) async throws -> AppHarness {
    try await AppHarness(
      text: """
        appcore: 1
        name: deep
        plugins: [Mock]
        start: level
        nodes:
          level: { feature: Mock.Level, with: { number: 0 } }
        routes:
          - { from: level, action: opened, \(verb): level, with: { number: $.number } }
          - { from: level, action: left, reset: level }

        """,
      mocks: [
        MockFeature(
          "Mock.Level", arguments: ["number": .int],
          delegates: [MockCase("opened", ["number": .int]), "left"])
      ])
  }

  func descend(_ app: AppHarness) async throws {
    try await app.emit(
      "level", "opened", payloads: (1...Self.depth).map { ["number": .int($0)] })
    #expect(await app.depth == Self.depth + 1)
    #expect(await app.instanceCount == Self.depth + 1)
    #expect(await app.state["arguments"] == ["number": .int(Self.depth)])
    #expect(await app.nodes.count == 32)
  }

  @Test("There by pushing, and back")
  func pushed() async throws {
    let app = try await app(verb: "push")
    try await descend(app)
    try await app.type(":back")
    #expect(await app.depth == Self.depth)
    #expect(try await app.back(times: Self.depth) == Self.depth - 1)
    #expect(await app.nodes == ["level"])
    #expect(await app.instanceCount == 1)
    #expect(await app.state["arguments"] == ["number": 0])
  }

  @Test("There by presenting, and back half of the way, where the app ends")
  func presented() async throws {
    let app = try await app(verb: "present")
    try await descend(app)
    #expect(await app.screen.isModal)
    try await app.type(":dismiss")
    #expect(try await app.back(times: Self.depth / 2) == Self.depth / 2)
    #expect(await app.depth == Self.depth / 2)
    #expect(await app.instanceCount == Self.depth / 2)
  }

  @Test("There, and all of it gone in one step")
  func reset() async throws {
    let app = try await app(verb: "present")
    try await descend(app)
    try await app.emit("level", "left")
    #expect(await app.nodes == ["level"])
    #expect(await app.instanceCount == 1)
    #expect(await app.screen.isModal == false)
  }
}

@Suite("AppHarness waits for each task of an effect", .serialized, .timeLimit(.minutes(30)))
struct WaitingTests {
  @Test(
    "When 'advance' returns, nothing is missing", arguments: Waiting.Form.allCases, [0, 8])
  func rounds(form: Waiting.Form, load: Int) async throws {
    let load = MachineLoad(load)
    defer { load.end() }
    let app = try await AppHarness(
      text: """
        appcore: 1
        plugins: [Waits]
        start: waiting
        nodes: { waiting: { feature: Waits.Waiting } }

        """, plugins: [WaitingPlugin.self])
    for _ in 0..<roundCount {
      try await app.type("@\(form)")
      if form == .cancelledInFlight { try await app.type("@\(form)") }
      await app.clock.advance(by: .seconds(1))
      #expect(await app.state["sent"] == [1])
      if form == .cancelledInFlight {
        try await app.type("@stop")
        #expect(app.clock.sleeperCount == 0)
      } else {
        await app.clock.run()
        #expect(await app.state["sent"] == .array(form.all.map { .int($0) }))
      }
      try await app.type("@reset")
    }
  }
}
