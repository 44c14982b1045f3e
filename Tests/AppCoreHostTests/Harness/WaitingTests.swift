import AppCore
import AppCoreHostTesting
import AppCoreTesting
import TestSupport
import Testing

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
