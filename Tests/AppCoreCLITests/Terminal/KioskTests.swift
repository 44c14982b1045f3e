import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A terminal on which commands are not allowed", .ownThread) struct KioskTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The manifest of an app whose name is in a field, and in which people may type so much.
  private func manifest(_ commands: String) throws -> String {
    let text = try String(
      contentsOfFile: "Tests/Fixtures/manifests/console/console.yaml", encoding: .utf8)
    return try folder.write("app.yaml", text + "\ncommands: \(commands)\n").path
  }

  @Test(
    "No key ends or stops the app on a terminal with lines; a signal does",
    arguments: [["TERM": "xterm"], ["TERM": "dumb"]])
  func lines(environment: [String: String]) throws {
    let terminal = try TypedTerminal(["run", manifest("none")], environment: environment)
    try terminal.wait(forLine: ">")
    #expect(terminal.model.text.contains("Type a number or a label."))
    // A terminal in plain mode makes signals of keys by itself.
    let keys = environment["TERM"] == "dumb" ? "\u{4}" : "\u{1a}\u{1c}\u{4}"
    terminal.type(keys)
    try terminal.wait { $0.text.contains("':quit' is not available here") && $0.line == ">" }
    terminal.type(":full-screen\r")
    try terminal.wait {
      $0.text.contains("':full-screen' is not available here") && $0.line == ">"
    }
    terminal.type("@name Ada\r")
    try terminal.wait { $0.text.contains("Name: Ada") && $0.line == ">" }
    // The next person is offered the name of the field, and not what this one has typed.
    if environment["TERM"] == "xterm" {
      terminal.type("@n")
      try terminal.wait(forLine: "> @name")
    }
    kill(terminal.child, SIGTERM)
    #expect(terminal.finish() == 128 + SIGTERM)
    #expect(!FileManager.default.fileExists(atPath: terminal.historyFile.path))
  }

  @Test("Nor does one full screen, and what is not allowed is said")
  func fullScreen() throws {
    let terminal = try TypedTerminal(
      ["run", manifest("none"), "--full-screen"], environment: ["LANG": "C.UTF-8"])
    try terminal.wait { $0.text.contains("› ") && $0.text.contains(": command") }
    #expect(!terminal.model.text.contains("F1 help") && !terminal.model.text.contains("^Q"))
    for (keys, command) in [
      ("\u{1a}\u{1c}\u{11}", "quit"), ("\u{1b}OP", "help"), (":lines\r", "lines"),
      (":state\r", "state"),
    ] {
      terminal.type(keys)
      try terminal.wait(for: "':\(command)' is not available")
    }
    kill(terminal.child, SIGTERM)
    terminal.expectRestored(status: [128 + SIGTERM])
  }

  @Test("People who use an app get help, and leave it by a control alone")
  func user() throws {
    let terminal = try TypedTerminal(
      ["run", manifest("user"), "--full-screen"], environment: ["LANG": "C.UTF-8"])
    try terminal.wait(for: "F1 help")
    terminal.type("\u{1b}OP")
    try terminal.wait(for: "Esc close")
    terminal.type("\u{1b}")
    try terminal.wait(for: "F1 help")
    terminal.type("\u{11}")
    try terminal.wait(for: "':quit' is not available")
    kill(terminal.child, SIGTERM)
    terminal.expectRestored(status: [128 + SIGTERM])
  }
}
