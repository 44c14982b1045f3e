import Foundation
import Glibc
import TestSupport
import Testing

/// What crashes again and again is not called any more, and nothing of it is lost.
@Suite("Features that crash again and again", .ownThread)
struct SuspensionTests {
  /// An app with the count 1, whose plugin is suspended.
  private func suspendedPlugin() throws -> CrashingApp {
    let app = try CrashingApp()
    try app.type("@add", seeing: "Count 1")
    _ = try app.crash("@fault = reduce trap", seeing: "Count 1")
    _ = try app.crash("@fault = screen trap", seeing: "Count 1")
    _ = try app.crash(
      "@fault = effect trap", seeing: "is suspended: it crashed 3 times within 10 minutes.")
    return app
  }

  @Test("The same call a second time suspends the instance, and everything else continues")
  func instance() throws {
    let app = try CrashingApp()
    try app.type("@add", seeing: "Count 1")
    _ = try app.crash("@fault = reduce trap", seeing: "Count 1")
    _ = try app.crash(
      "@fault = reduce trap", seeing: "is suspended: it crashed twice in reduce(into:action:).")
    try app.type("@data", seeing: #"{"count":1,"planned":""}"#)
    // The other tab is of the same feature.
    try app.type(":tab other", seeing: "Count 0")
    try app.type("@add", seeing: "Count 1")
    try app.type(":tab faulty", seeing: "'MockFaults.Faulty' is suspended")
    // It stays so in another process.
    try app.clear()
    kill(try #require(app.worker), SIGKILL)
    _ = try app.restored(seeing: "'MockFaults.Faulty' is suspended")
    try app.type("retry", seeing: "Count 1")
    try app.type("@add", seeing: "Count 2")
    #expect(app.quit() == 0)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }

  @Test("Three crashes of a plugin suspend all of it, until somebody tries again")
  func plugin() throws {
    let app = try suspendedPlugin()
    try app.type(":tab other", seeing: "the plugin 'MockFaults' is suspended")
    try app.type("@data", seeing: #"{"count":1,"planned":""}"#)
    try app.type("@retry", seeing: "Count 1")
    try app.type(":tab other", seeing: "Count 0")
    #expect(app.quit() == 0)
  }

  @Test("A plugin that is suspended stays so in a past step that is continued, with its data")
  func continued() throws {
    let app = try suspendedPlugin()
    try app.type(":goto 1", seeing: "(rewound to step 1")
    #expect(app.terminal.model.text.contains("is suspended: it crashed 3 times"))
    try app.type(":continue", seeing: "is suspended: it crashed 3 times within 10 minutes.")
    try app.type("@retry", seeing: "Count 1")
    #expect(app.quit() == 0)
  }

  @Test(
    "A crash while the app is being restored suspends the plugin at once",
    arguments: ["didRestore trap", "didRestore kill", "decode segv"])
  func restoring(fault: String) throws {
    let app = try CrashingApp()
    try app.type("@add", seeing: "Count 1")
    try app.type("@fault = \(fault)", seeing: "Count 1")
    kill(try #require(app.worker), SIGKILL)
    _ = try app.restored(seeing: "is suspended: it crashed while the app was being restored.")
    #expect(app.quit() == 0)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }
}
