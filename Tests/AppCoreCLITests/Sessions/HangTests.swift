import Foundation
import Glibc
import TestSupport
import Testing

/// A plugin's code does not return, and the app is back on the same screen.
@Suite("An app whose plugin hangs", .ownThread)
struct HangTests {
  private static let owner = "! MockFaults.Faulty hung in "
  private static let reducer = owner + "reduce(into:action:) (libMockFaults.so+0x"

  @Test(
    "Ctrl-C twice restores the app without what it is doing",
    arguments: [
      ("@fault = reduce loop", reducer), ("@fault = screen loop", owner + "screen(_:) ("),
      ("@fault = effect loop", owner + "an effect ("),
    ])
  func interrupted(line: String, told: String) throws {
    let app = try CrashingApp(["--watchdog", "0.3"])
    try app.type("@add", seeing: "Count 1")
    try app.clear()
    try interrupt(app, line)
    let found = try app.restored(seeing: "Count 1")
    #expect(found.hasPrefix(told), "\(found)")
    #expect(found.contains("ended after "), "\(found)")
    try app.type("@add", seeing: "Count 2")
    try app.type(":explain crash", seeing: "node: 'faulty'")
    #expect(app.quit() == 0)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }

  @Test(
    "A clock that is set back does not keep a hang from being reported",
    .enabled(if: PreloadedLibrary.canBeMade))
  func clock() async throws {
    // A time that the process has computed from the clock's is an hour away.
    let library = try await PreloadedLibrary(
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <time.h>

      int clock_gettime(clockid_t clock, struct timespec *time) {
        int result = ((int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime"))(
          clock, time);
        if (clock == CLOCK_REALTIME) time->tv_sec += 3600;
        return result;
      }
      """)
    let app = try CrashingApp(["--watchdog", "0.3"], environment: library.environment)
    try interrupt(app, "@fault = reduce loop")
    #expect(try app.restored().hasPrefix(Self.reducer))
    #expect(app.quit() == 0)
  }

  @Test("So does it on a terminal that is not drawn on")
  func plain() throws {
    let app = try CrashingApp(["--watchdog", "0.3", "--plain"])
    try app.type("@add", seeing: "Count 1")
    try interrupt(app, "@fault = reduce loop")
    let found = try app.restored(seeing: "Count 1")
    #expect(found.hasPrefix(Self.reducer), "\(found)")
    try app.type("@add", seeing: "Count 2")
    app.terminal.type(":quit\r")
    #expect(app.terminal.finish() == 0)
  }

  @Test("Before the watchdog's line, and once, Ctrl-C gives up waiting as ever")
  func patient() throws {
    let app = try CrashingApp(["--watchdog", "60"])
    let worker = try #require(app.worker)
    app.terminal.type("@fault = reduce loop\r")
    for _ in 1...3 {
      app.terminal.type("\u{3}")
      app.terminal.read(for: 100)
    }
    try app.terminal.wait(forLine: ">")
    #expect(app.worker == worker)
    #expect(!app.terminal.model.text.contains("Ctrl-C again"))
    // By then the reducer loops.
    let before = CrashingApp.storeTicks(of: worker)
    let deadline = Date().addingTimeInterval(60)
    while CrashingApp.storeTicks(of: worker) < before + 10, Date() < deadline {
      app.terminal.read(for: 20)
    }
    kill(worker, SIGKILL)
    #expect(try app.restored().hasPrefix("! MockFaults.Faulty crashed in reduce(into:action:)"))
    #expect(app.quit() == 0)
  }

  /// Ends what hangs by Ctrl-C, once somebody was told of it.
  private func interrupt(_ app: CrashingApp, _ line: String) throws {
    app.terminal.type(line + "\r")
    try app.terminal.wait("the watchdog's line") {
      // It may be broken between any words.
      $0.text.split(separator: /\s+/).joined(separator: " ")
        .contains("Ctrl-C twice restores the app without it, Ctrl-\\ ends the app")
    }
    app.terminal.type("\u{3}")
    try app.terminal.wait(for: "Ctrl-C again restores the app without what it is doing.")
    app.terminal.type("\u{3}")
  }

  static let limited = [
    ("@fault = reduce loop", reducer), ("@fault = screen loop", owner + "screen(_:) ("),
    ("@fault = initialState loop", owner + "initialState(_:) ("),
    ("@fault = effect loop", owner + "an effect ("),
    ("@fault = encode loop", owner + "State.encode(to:) ("),
    // It hears of no signal any more, and can't be asked what it does.
    ("@fault = reduce deaf", owner + "reduce(into:action:) ("),
  ]

  @Test("'--hang-limit' ends it without anybody", arguments: limited)
  func limit(line: String, told: String) throws {
    let app = try CrashingApp(["--hang-limit", "0.5"])
    try app.type("@add", seeing: "Count 1")
    let found = try app.crash(line, seeing: "Count 1")
    #expect(found.hasPrefix(told), "\(found)")
    try app.type("@add", seeing: "Count 2")
    #expect(app.quit() == 0)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }

  @Test("It ends what hangs while an instance is left, and while the app is restored")
  func around() throws {
    let app = try CrashingApp(["--hang-limit", "0.5"])
    try app.type("@fault = open", seeing: "Another")
    try app.type("@fault = willEnd loop", seeing: "Another")
    let left = try app.crash(":back", seeing: "Another")
    #expect(left.hasPrefix(Self.owner + "willEnd(_:) ("), "\(left)")
    try app.type("@fault = didRestore loop", seeing: "Another")
    try app.clear()
    kill(try #require(app.worker), SIGKILL)
    _ = try app.restored(seeing: "is suspended: it hung while the app was being restored.")
    #expect(app.quit() == 0)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }

  @Test("A feature that hangs twice in the same way is suspended")
  func suspended() throws {
    let app = try CrashingApp(["--hang-limit", "0.5"])
    _ = try app.crash("@fault = reduce loop")
    _ = try app.crash(
      "@fault = reduce loop", seeing: "is suspended: it hung twice in reduce(into:action:).")
    #expect(app.quit() == 0)
  }

  @Test("One that has written over all of its memory comes back, too")
  func scribbled() throws {
    let app = try CrashingApp(["--hang-limit", "1"])
    try app.type("@add", seeing: "Count 1")
    let told = try app.crash("@fault = reduce scribble", seeing: "Count 1")
    #expect(told.contains(Self.owner.dropLast(8)), "\(told)")
    #expect(!app.terminal.modes.echoes)
    try app.type("@add", seeing: "Count 2")
    #expect(app.quit() == 0)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }

  /// A loop that hears of signals, and one on a thread that blocks them.
  @Test(
    "A request to end ends what hangs, and names it",
    arguments: [SIGTERM, SIGHUP], ["loop", "deaf"])
  func ended(signal: Int32, fault: String) throws {
    let app = try CrashingApp(["--watchdog", "0.3"])
    app.terminal.type("@fault = reduce \(fault)\r")
    try app.terminal.wait(for: "! the app has not answered for ")
    kill(app.terminal.child, signal)
    let start = ContinuousClock.now
    #expect(app.terminal.finish() == 128 + signal)
    // Two seconds, but for a machine that is busy; one that can still save has seven.
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(app.terminal.modes == app.terminal.modesBefore)
    let text = app.terminal.model.text.split(separator: "\n").joined()
    #expect(
      fault == "deaf"
        || text.contains("appcore: ended without waiting any longer for plugin 'MockFaults'"),
      "\(text)")
  }

  @Test("Who leaves while it hangs is not kept, and the status says that nothing was saved")
  func left() throws {
    let app = try CrashingApp(["--watchdog", "0.3"])
    app.terminal.type("@fault = reduce loop\r")
    try app.terminal.wait(for: "! the app has not answered for ")
    app.terminal.type("\u{3}")
    try app.terminal.wait(forLine: ">")
    app.terminal.type("\u{4}")
    #expect(app.terminal.finish() == 74)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }

  @Test("Without a supervisor an app on a terminal ends after the limit, with who it was")
  func unsupervised() throws {
    let app = try CrashingApp(["--hang-limit", "0.5", "--no-supervise"])
    app.terminal.type("@fault = reduce loop\r")
    #expect(app.terminal.finish() == 70)
    #expect(app.terminal.modes == app.terminal.modesBefore)
    let text = app.terminal.model.text.split(separator: "\n").joined()
    #expect(
      text.contains("appcore: ended by plugin 'MockFaults', feature 'MockFaults.Faulty'"),
      "\(text)")
  }

  @Test("Without a supervisor a script ends after the limit, with who it was")
  func script() async throws {
    let result = try await Program.run(
      buildFolder.appendingPathComponent("appcore").path,
      ["run", CrashingApp.manifest, "--hang-limit", "0.5", "-c", "@fault = reduce loop"])
    #expect(result.status == 70)
    #expect(
      result.errors.contains(
        "appcore: ended by plugin 'MockFaults', feature 'MockFaults.Faulty', node 'faulty' #"))
    let wrong = try await Program.run(
      buildFolder.appendingPathComponent("appcore").path,
      ["run", CrashingApp.manifest, "--hang-limit", "0"])
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("'--hang-limit' takes seconds from 0.1 to 86400."))
  }
}
