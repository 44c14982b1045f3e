import Foundation
import Glibc
internal import TestSupport
import Testing

/// Two processes that look like one.
@Suite("The supervisor of an app", .ownThread)
struct SupervisorTests {
  @Test("When it is killed, the app ends, and the terminal is as it was")
  func killed() throws {
    let app = try CrashingApp()
    let worker = try #require(app.worker)
    kill(app.terminal.child, SIGKILL)
    let deadline = Date().addingTimeInterval(30)
    while kill(worker, 0) == 0, Date() < deadline { app.terminal.read(for: 20) }
    #expect(kill(worker, 0) != 0)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }

  @Test("Three crashes within a minute of which nobody is known to be the culprit end the app")
  func givesUp() throws {
    let app = try CrashingApp()
    for _ in 1...2 {
      try app.clear()
      kill(try #require(app.worker), SIGKILL)
      _ = try app.restored()
    }
    kill(try #require(app.worker), SIGKILL)
    #expect(app.terminal.finish() == 70)
    #expect(app.terminal.modes == app.terminal.modesBefore)
    let text = app.terminal.model.text.split(separator: "\n").joined()
    #expect(text.contains("that was the third crash within a minute, so the app ends"), "\(text)")
  }

  @Test("Without it a crash ends the app, with its line")
  func none() throws {
    let app = try CrashingApp(["--no-supervise"])
    #expect(app.worker == nil)
    app.terminal.type("@fault = reduce trap\r")
    #expect(![0, -1].contains(app.terminal.finish()))
    #expect(app.terminal.model.text.contains("appcore: ended by plugin 'MockFaults'"))
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }

  @Test("An app of which nothing was shown ends as it crashes, and its plugin is named")
  func start() throws {
    let terminal = try TypedTerminal(
      ["run", "Tests/Fixtures/manifests/mocks/faults.yaml"], columns: 120,
      environment: ["APPCORE_MOCK_FAULT": "make:trap"])
    #expect(![0, -1].contains(terminal.finish()))
    #expect(
      terminal.model.text.contains("appcore: plugin 'MockFaults' crashed in init(configuration:)"))
    #expect(terminal.modes == terminal.modesBefore)
  }

  @Test("Threads of its app may wait for a global and a lock that the first one has")
  func contention() throws {
    let terminal = try TypedTerminal(
      ["run", "Tests/Fixtures/manifests/mocks/faults.yaml"], columns: 120,
      environment: ["APPCORE_MOCK_FAULT": "host-load:contend"])
    try terminal.wait("the first prompt") { $0.line == ">" }
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("A signal that is sent to it alone reaches the app", arguments: [SIGTERM, SIGINT, SIGHUP])
  func signals(signal: Int32) throws {
    let app = try CrashingApp()
    kill(app.terminal.child, signal)
    #expect(app.terminal.finish() == 128 + signal)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }

  @Test("A request to end that comes as the app crashes is no reason to restore it")
  func requestAtCrash() throws {
    let app = try CrashingApp()
    let worker = try #require(app.worker)
    // Stopped, it finds the crash and the request at the same time.
    for (signal, process) in [
      (SIGSTOP, app.terminal.child), (SIGKILL, worker), (SIGTERM, app.terminal.child),
      (SIGCONT, app.terminal.child),
    ] { kill(process, signal) }
    #expect(app.terminal.finish() == 128 + SIGTERM)
    #expect(!app.terminal.model.text.contains("; restored in "))
    #expect(try app.reports?.all.map(\.outcome) == ["ended"])
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }

  @Test(
    "Where no process can be forked after a crash, it restores the app itself",
    .enabled(if: PreloadedLibrary.canBeMade))
  func noFork() async throws {
    let library = try await PreloadedLibrary(
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <errno.h>
      #include <unistd.h>

      pid_t fork(void) {
        static int count;
        if (count++ == 0) return ((pid_t (*)(void))dlsym(RTLD_NEXT, "fork"))();
        errno = EAGAIN;
        return -1;
      }
      """)
    let app = try CrashingApp(environment: library.environment)
    try app.type("@add", seeing: "Count 1")
    app.terminal.type("half")
    try app.terminal.wait(forLine: "> half")
    kill(try #require(app.worker), SIGKILL)
    #expect(try app.restored(seeing: "Count 1").contains("SIGKILL"))
    try app.terminal.wait(forLine: "> half")
    #expect(app.worker == nil)
    #expect(app.terminal.received.contains("a crash will end it"))
    #expect(try app.reports?.all.map(\.outcome) == ["restored"])
    app.terminal.type("\u{15}")
    try app.type("@add", seeing: "Count 2")
    #expect(app.quit() == 0)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }

  @Test("It stops when the app is stopped, and the app continues with it")
  func stops() throws {
    let terminal = try TypedTerminal(
      "/bin/bash", ["--norc", "--noprofile", "--noediting", "-i"],
      // By its name: a long path would push the first word of the shell's off the screen.
      environment: ["PS1": "$ ", "PATH": buildFolder.path + ":/usr/bin:/bin"])
    try terminal.wait(for: "$")
    terminal.type("appcore run \(CrashingApp.manifest)\n")
    try terminal.wait(forLine: ">")
    let app = CrashingApp(terminal)
    terminal.type("half")
    try terminal.wait(forLine: "> half")
    kill(try #require(app.worker), SIGSTOP)
    try terminal.wait(for: "Stopped")
    terminal.type("fg\n")
    try terminal.wait(forLine: "> half")
    terminal.type("\u{1a}")
    try terminal.wait("it stopped again") {
      // The first time may have left the screen at its top.
      ($0.scrollback + $0.screen).joined().components(separatedBy: "Stopped").count > 2
    }
    terminal.type("fg\n")
    try terminal.wait(forLine: "> half")
    // After that it is still restored.
    kill(try #require(app.worker), SIGKILL)
    _ = try app.restored()
    try terminal.wait(forLine: "> half")
    terminal.type("\u{15}:quit\r")
    try terminal.wait { $0.line.hasPrefix("$") }
    terminal.type("exit\n")
    #expect(terminal.finish() == 0)
  }

  @Test("Killed at the first sight of what was restored, it is restored again")
  func again() throws {
    let app = try CrashingApp()
    try app.type("@add", seeing: "Count 1")
    kill(try #require(app.worker), SIGKILL)
    try app.terminal.wait(for: "; restored in ")
    kill(try #require(app.worker), SIGKILL)
    try app.terminal.wait("the second restoration") { model in
      let parts = model.text.components(separatedBy: "; restored in ")
      return parts.count == 3 && parts[2].contains("Count 1") && model.line == ">"
    }
    #expect(app.quit() == 0)
  }

  /// `APPCORE_KILLS` says how often.
  @Test("Killed at any moment, it shows the screen that was seen last, and loses nothing")
  func random() throws {
    let environment = ProcessInfo.processInfo.environment
    let kills = environment["APPCORE_KILLS"].flatMap(Int.init) ?? 12
    var generator = SplitMix64(seed: 7)
    var done = 0
    while done < kills {
      let app = try CrashingApp()
      var count = 0
      // Of more in a minute the app would be given up.
      for _ in 1...2 where done < kills {
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          count += 1
          try app.type("@add", seeing: "Count \(count)")
        }
        try app.clear()
        app.terminal.type("@add\r")
        usleep(UInt32.random(in: 0...20_000, using: &generator))
        kill(try #require(app.worker), SIGKILL)
        _ = try app.restored()
        app.terminal.readAll()
        // The line may have been carried out, and nobody has seen it yet.
        let screen = app.terminal.model.text.components(separatedBy: "; restored in ").last ?? ""
        let isDone = screen.contains("Count \(count + 1)")
        #expect(isDone || screen.contains("Count \(count)\n"), "\(screen)")
        if isDone { count += 1 }
        done += 1
      }
      #expect(app.quit() == 0)
      #expect(app.terminal.modes == app.terminal.modesBefore)
    }
  }

  @Test("The notes app and the packages app are back whenever they are killed")
  func apps() async throws {
    let result = try await Program.run(
      "/usr/bin/env",
      [
        "python3", "scripts/sessions/kills.py", buildFolder.appendingPathComponent("appcore").path,
        "8",
      ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "8 kills: 0 screens lost, 0 terminals broken\n")
  }
}
