import Foundation
import TestSupport
import Testing

/// What a person sees of it on a terminal; `Tests/Transcripts/faults` has what scripts see.
@Suite("A plugin that misbehaves in the program", .ownThread)
struct RudePluginTests {
  static let rude = "Tests/Fixtures/manifests/rude/rude.yaml"

  private static let owner =
    "appcore: ended by plugin 'MockRude', feature 'MockRude.Rude', node 'rude' #0.0, "

  @Test(
    "The line before the last is the command that shows the line of the source",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/llvm-symbolizer")),
    arguments: ["@trap", "@segfault", "@trap-screen", "@trap-elsewhere"])
  func sourceLine(line: String) async throws {
    let result = try await Program.appcore(
      ["run", Self.rude], input: line + "\n", environment: ["SWIFT_BACKTRACE": "enable=no"])
    let told = try #require(
      result.errors.split(separator: "\n").last { $0.hasSuffix("` shows the line of the source") })
    let command = try #require(told.split(separator: "`").dropFirst().first)
    let found = try await Program.run("/bin/sh", ["-c", String(command)])
    #expect(found.output.contains("/MockRude/"), "\(command): \(found.output)")
  }

  @Test("On a terminal the line is below the screen, and the terminal is as it was")
  func terminal() throws {
    for line in ["@trap", "@segfault", "@trap-effect"] {
      let terminal = try TypedTerminal(
        ["run", Self.rude, "--no-supervise"],
        columns: 200)
      try terminal.wait { $0.line.hasSuffix(">") }
      terminal.type(line + "\r")
      try terminal.wait(for: Self.owner)
      #expect(terminal.finish() != 0)
      #expect(terminal.modes == terminal.modesBefore)
    }
  }

  @Test("Who leaves on a terminal is told what is waited for, and Ctrl-\\ ends it")
  func stubbornTerminal() throws {
    let terminal = try TypedTerminal(["run", Self.rude], columns: 100)
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
    let terminal = try TypedTerminal(["run", Self.rude], columns: 100)
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

  @Test("On a terminal it is shown below the screen, and typing continues")
  func blockedOnTerminal() throws {
    let terminal = try TypedTerminal(
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
}
