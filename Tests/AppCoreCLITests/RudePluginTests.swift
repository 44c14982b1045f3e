import Foundation
import TestSupport
import Testing

/// What is left to say of a plugin that ends the process, and of one that keeps it busy.
@Suite("A plugin that misbehaves in the program", .ownThread)
struct RudePluginTests {
  static let rude = "Tests/Fixtures/manifests/rude/rude.yaml"

  private func run(
    _ lines: [String], _ options: [String] = [], environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    try await Program.appcore(
      ["run", Self.rude] + options, input: lines.map { $0 + "\n" }.joined(),
      environment: ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 })
  }

  private static let owner =
    "appcore: ended by plugin 'MockRude', feature 'MockRude.Rude', node 'rude' #0.0, "

  @Test(
    "The last line of a process that a plugin has ended names it, without its secrets",
    arguments: [
      ("@trap", "in its reducer", ".view(.trapTapped(<secret>))"),
      ("@segfault", "in its reducer", ".view(.segfaultTapped)"),
      ("@trap-screen", "making its screen", nil), ("@trap-effect", "in an effect", nil),
      ("@trap-elsewhere", "in an effect", nil),
    ])
  func ended(line: String, place: String, action: String?) async throws {
    let result = try await run([line])
    #expect(result.wasSignalled)
    let last = try #require(result.errors.split(separator: "\n").last)
    #expect(last.hasPrefix(Self.owner + place + ": "), "\(last)")
    if let action { #expect(last.hasSuffix(", at the action " + action), "\(last)") }
    #expect(!result.errors.contains("hunter2"))
    // The screen before it is not lost.
    #expect(result.output.contains("Count 0"))
  }

  @Test("Every screen before the line that ends the process is printed")
  func screensBefore() async throws {
    let result = try await run(["@add", "@add", "@trap"])
    #expect(result.wasSignalled)
    let counts = result.output.split(separator: "\n").filter { $0.hasPrefix("Count ") }
    #expect(counts == ["Count 0", "Count 1", "Count 2"])
  }

  @Test(
    "Before it stands the command that shows the line of the source",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/llvm-symbolizer")),
    arguments: ["@trap", "@segfault", "@trap-screen", "@trap-elsewhere"])
  func sourceLine(line: String) async throws {
    let result = try await run([line])
    let told = try #require(
      result.errors.split(separator: "\n").last { $0.hasSuffix("` shows the line of the source") })
    let command = try #require(told.split(separator: "`").dropFirst().first)
    let found = try await Program.run("/bin/sh", ["-c", String(command)])
    #expect(found.output.contains("/MockRude/"), "\(command): \(found.output)")
  }

  @Test("The line comes after what the toolchain's backtracer prints")
  func backtrace() async throws {
    let result = try await run(
      ["@trap"], environment: ["SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no"])
    #expect(result.wasSignalled)
    let last = try #require(result.errors.split(separator: "\n").last)
    #expect(last.hasPrefix(Self.owner), "\(result.errors)")
  }

  @Test("The line comes after what the plugin has printed, the end of a line or not")
  func unfinished() async throws {
    for _ in 0..<5 {
      let result = try await Program.appcore(
        ["run", CrashingApp.manifest, "-c", "@fault = reduce unfinished"],
        environment: ["SWIFT_BACKTRACE": "enable=no"])
      #expect(result.wasSignalled)
      let lines = result.errors.split(separator: "\n")
      #expect(lines.contains { $0.hasSuffix(" printed: half a line") }, "\(result.errors)")
      #expect(lines.last?.hasPrefix("appcore: ended by plugin 'MockFaults'") == true)
    }
  }

  @Test("On a terminal the line is below the screen, and the terminal is as it was")
  func terminal() throws {
    for line in ["@trap", "@segfault", "@trap-effect"] {
      let terminal = try TypedTerminal(
        buildFolder.appendingPathComponent("appcore").path, ["run", Self.rude, "--no-supervise"],
        columns: 200)
      try terminal.wait { $0.line.hasSuffix(">") }
      terminal.type(line + "\r")
      try terminal.wait(for: Self.owner)
      #expect(terminal.finish() != 0)
      #expect(terminal.modes == terminal.modesBefore)
    }
  }

  @Test("An effect that continues after it was cancelled is named while it is waited for, and left")
  func stubborn() async throws {
    let result = try await run([":wait 0.05", "@stubborn"])
    #expect(result.status == 0)
    #expect(
      result.errors == """
        appcore: ending; waits for effects of 'rude' #0.0 for 4 s more; Ctrl-\\ ends it now
        appcore: ended without waiting any longer for effects of 'rude' #0.0

        """)
  }

  @Test("Who leaves on a terminal is told what is waited for, and Ctrl-\\ ends it")
  func stubbornTerminal() throws {
    let terminal = try TypedTerminal(
      buildFolder.appendingPathComponent("appcore").path, ["run", Self.rude], columns: 100)
    try terminal.wait { $0.line.hasSuffix(">") }
    terminal.type("@stubborn\r")
    try terminal.wait("the next prompt") { $0.text.contains("> @stubborn") && $0.line == ">" }
    terminal.type("\u{4}")
    try terminal.wait(
      for: "appcore: ending; waits for effects of 'rude' #0.0 for 4 s more; Ctrl-\\ ends it now")
    terminal.type("\u{1c}")
    #expect([SIGQUIT, 128 + SIGQUIT].contains(terminal.finish()))
    #expect(terminal.modes == terminal.modesBefore)
  }

  @Test("A second Ctrl-C ends it at once: only a hang-up and SIGTERM are sent again by shells")
  func interruptedTwice() throws {
    let terminal = try TypedTerminal(
      buildFolder.appendingPathComponent("appcore").path, ["run", Self.rude], columns: 100)
    try terminal.wait { $0.line.hasSuffix(">") }
    terminal.type("@stubborn\r")
    try terminal.wait("the next prompt") { $0.text.contains("> @stubborn") && $0.line == ">" }
    kill(terminal.child, SIGINT)
    try terminal.wait(for: "appcore: ending; waits for effects of 'rude' #0.0")
    kill(terminal.child, SIGINT)
    #expect(terminal.finish() == 128 + SIGINT)
    #expect(!terminal.model.text.contains("ended without waiting any longer"))
    #expect(terminal.modes == terminal.modesBefore)
  }

  @Test(
    "A feature that keeps the app busy is named, with its action, and the app continues",
    arguments: [
      ("@block", "in its reducer, at the action .view(.blockTapped(milliseconds: 3000))"),
      ("@block-effect", "in an effect"),
    ])
  func blocked(line: String, place: String) async throws {
    let result = try await run(
      [":wait 60", line, "@add", ":expect Count 1"], ["--watchdog", "0.3"])
    #expect(result.status == 0)
    let lines = result.errors.split(separator: "\n")
    let owner = "plugin 'MockRude', feature 'MockRude.Rude', node 'rude' #0.0"
    #expect(
      lines.contains {
        $0.hasPrefix("appcore: the app has not answered for ")
          && $0.hasSuffix(" s: \(owner), \(place); still waiting (it is ended after 6.0 s)")
      }, "\(result.errors)")
    #expect(lines.last?.contains(#/^appcore: the app continues after [0-9.]+ s$/#) == true)
  }

  @Test("On a terminal it is shown below the screen, and typing continues")
  func blockedOnTerminal() throws {
    let terminal = try TypedTerminal(
      buildFolder.appendingPathComponent("appcore").path,
      ["run", Self.rude, "--watchdog", "0.3"], columns: 240, rows: 40)
    try terminal.wait { $0.line.hasSuffix(">") }
    terminal.type("@block\r")
    try terminal.wait(
      for: "at the action .view(.blockTapped(milliseconds: 3000)); still waiting")
    try terminal.wait(for: "! the app continues after")
    terminal.type("@add\r")
    try terminal.wait(for: "Count 1")
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test(
    "In a narrow window it is broken between words, drawn on or not",
    arguments: [["TERM": "xterm-256color"], ["TERM": "dumb"]])
  func blockedInNarrowWindow(environment: [String: String]) throws {
    let terminal = try TypedTerminal(
      buildFolder.appendingPathComponent("appcore").path,
      ["run", Self.rude, "--watchdog", "0.3"], columns: 44, rows: 60, environment: environment)
    try terminal.wait { $0.line.hasSuffix(">") }
    terminal.type("@block\r")
    try terminal.wait("the line in whole words") { model in
      model.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .joined(separator: " ")
        .contains("at the action .view(.blockTapped(milliseconds: 3000)); still waiting (")
    }
    try terminal.wait(for: "! the app continues after")
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("Without a watchdog nothing is reported")
  func noWatchdog() async throws {
    let result = try await run([":wait 60", "@block", "@add"], ["--watchdog", "0"])
    #expect(result.status == 0)
    #expect(result.errors == "")
    let wrong = try await run([], ["--watchdog", "-1"])
    #expect(wrong.status == 64)
  }
}
