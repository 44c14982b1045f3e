internal import AppCore
import Testing

@testable internal import AppCoreHost

@Suite("How long actions take")
struct ActionTimesTests {
  @Test("':log' shows the time until an action's effects were started, navigation included")
  func durations() async throws {
    let app = try await TimedApp()
    _ = await app.type("@quick", "@slow", "@effect", "@open")
    #expect(
      await app.type(":log") == [
        "navigation                 4 ms  the start of the app",
        "  → start",
        "line                             Quick",
        "screen      first #0.0     1 ms  .view(.quickTapped)",
        "line                             Slow",
        "screen      first #0.0     7 ms  .view(.slowTapped)",
        "line                             Effect",
        // The effect runs at once; what it sends is measured by itself.
        "screen      first #0.0     5 ms  .view(.effectTapped)",
        "effect      first #0.0    10 ms  .internal(.loaded(count: 3))",
        "line                             Open",
        "screen      first #0.0     0 µs  .view(.openTapped)",
        // The screen that it opens begins.
        "delegate    first #0.0     4 ms  .delegate(.opened)",
        "  → emitted 'opened'",
        "  → push",
      ])
  }

  @Test("'--slow' leaves out what was quicker, and lines, and keeps the order of the log")
  func slow() async throws {
    let app = try await TimedApp()
    _ = await app.type("@effect", "@quick", "@slow")
    #expect(
      await app.type(":log --slow 5ms") == [
        "screen  first #0.0     5 ms  .view(.effectTapped)",
        "effect  first #0.0    10 ms  .internal(.loaded(count: 3))",
        "screen  first #0.0     7 ms  .view(.slowTapped)",
      ])
    #expect(
      await app.type(":log --slow 10001us") == [
        "No action of the latest 256 entries took that long."
      ])
  }

  @Test("In JSON each action has its microseconds")
  func json() async throws {
    let app = try await TimedApp(json: true)
    _ = await app.type("@quick", "@slow")
    #expect(
      await app.type(":log --slow 1.5ms") == [
        #"{"command":"log","value":[{"events":[{"text":"start"}],"microseconds":4000.0,"#
          + #""number":1,"origin":"navigation","text":"the start of the app"},"#
          + #"{"instance":"0.0","microseconds":7000.0,"node":"first","number":5,"#
          + #""origin":"screen","text":".view(.slowTapped)"}]}"#
      ])
    #expect(await app.type(":log --slow 1s") == [#"{"command":"log","value":[]}"#])
  }

  @Test("'--times' counts each case of each feature's actions and its screens, the longest first")
  func times() async throws {
    let app = try await TimedApp()
    _ = await app.type("@quick", "@quick", "@quick", "@slow", "@effect", "@open", "@quick")
    #expect(
      await app.type(":log --times") == [
        "count  total   mean  longest  action",
        "    1  10 ms  10 ms    10 ms  Timed.Work.internal.loaded",
        "    1   7 ms   7 ms     7 ms  Timed.Work.view.slowTapped",
        "    1   5 ms   5 ms     5 ms  Timed.Work.view.effectTapped",
        "    1   4 ms   4 ms     4 ms  Timed.Work.delegate.opened",
        // Of both nodes.
        "    4   4 ms   1 ms     1 ms  Timed.Work.view.quickTapped",
        "    1   4 ms   4 ms     4 ms  appcore.navigate.begin",
        "    8   0 µs   0 µs     0 µs  Timed.Work.screen()",
        "    1   0 µs   0 µs     0 µs  Timed.Work.view.openTapped",
      ])
  }

  @Test("The times in JSON are in microseconds")
  func timesInJSON() async throws {
    let app = try await TimedApp(json: true)
    _ = await app.type("@slow", "@slow")
    let line = try #require(await app.type(":log --times").first)
    #expect(
      line.hasPrefix(
        #"{"command":"log","value":[{"action":"Timed.Work.view.slowTapped","count":2,"#
          + #""longestMicroseconds":7000.0,"meanMicroseconds":7000.0,"#
          + #""totalMicroseconds":14000.0},"#))
  }

  @Test("The table grows with the kinds of actions, not with the actions")
  func bounded() async throws {
    let app = try await TimedApp()
    for _ in 0..<1000 { _ = await app.type("@quick") }
    #expect(
      await app.type(":log --times").suffix(3) == [
        " 1000  1000 ms  1 ms     1 ms  Timed.Work.view.quickTapped",
        "    1     4 ms  4 ms     4 ms  appcore.navigate.begin",
        " 1001     0 µs  0 µs     0 µs  Timed.Work.screen()",
      ])
    // What the log has let go of is not slow any more.
    #expect(await app.type(":log --slow 4ms").count == 1)
  }

  @Test("Names are those of cases: nothing that an action carries is among them")
  func secrets() async throws {
    let app = try await TimedApp()
    let table = await app.type("@password hunter2", ":log --times")
    #expect(table.contains { $0.hasSuffix("Timed.Work.view.passwordChanged") })
    #expect(!table.joined().contains("hunter2"))
  }
}
