import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A terminal that is not drawn on", .ownThread) struct PlainTerminalTests {
  @Test(
    "It gets no escape code, and lines are edited by the system",
    arguments: [["TERM": "dumb"], ["APPCORE_PLAIN": "1"], ["TERM": ""]])
  func plain(environment: [String: String]) throws {
    let terminal = try TypedTerminal.console(environment: environment)
    #expect(terminal.modes == terminal.modesBefore)
    terminal.type("@name Adx\u{7f}a\n")
    try terminal.wait { $0.text.contains("Name: Ada") && $0.line == ">" }
    terminal.type(":history\n")
    try terminal.wait { $0.text.contains("1  @name Ada") && $0.line == ">" }
    terminal.type(":again 1\n")
    try terminal.wait { $0.text.hasSuffix("\n>") && $0.text.contains("\n@name Ada\n") }
    terminal.type("@password\n")
    try terminal.wait(forLine: "Password:")
    try terminal.wait("no echo") { _ in !terminal.modes.echoes }
    terminal.type("hunter2\n")
    try terminal.wait("echo and a prompt") { $0.line == ">" && terminal.modes.echoes }
    terminal.type("abc")
    try terminal.wait(forLine: "> abc")
    terminal.type("\u{3}")
    try terminal.wait { $0.text.contains("abc^C") && $0.line == ">" }
    terminal.type(":quit\n")
    #expect(terminal.finish() == 0)
    #expect(terminal.modes == terminal.modesBefore)
    #expect(terminal.model.unknown == [])
    #expect(!terminal.model.text.contains("hunter2"))
    let history = try String(contentsOf: terminal.historyFile, encoding: .utf8)
    #expect(history.contains("@name Ada\n"))
    #expect(!history.contains("hunter"))
  }

  private func console(history: URL? = nil) throws -> TypedTerminal {
    try .console(
      environment: ["TERM": "dumb"]
        .merging(history.map { ["APPCORE_HISTORY": $0.path] } ?? [:]) { $1 })
  }

  @Test("Ctrl-C and Ctrl-D abandon an answer and a text", arguments: ["\u{3}", "\u{4}"])
  func abandoned(key: String) throws {
    let terminal = try console()
    for (line, prompt) in [("@name", "Name:"), ("@name <<END", "…")] {
      terminal.type(line + "\n")
      try terminal.wait(forLine: prompt)
      terminal.type(key)
      try terminal.wait(forLine: ">")
      terminal.type(":path\n")
      try terminal.wait { $0.text.hasSuffix("\n> :path\n/panel;interval=0\n>") }
    }
    terminal.type("@name Ada\n")
    try terminal.wait { $0.text.contains("Name: Ada") && $0.line == ">" }
    terminal.type(":quit\n")
    #expect(terminal.finish() == 0)
    #expect(!terminal.model.text.contains("Name: :path"))
  }

  @Test("A line that follows a Ctrl-C at once is carried out")
  func lineAfterInterrupt() throws {
    let terminal = try console()
    terminal.type("@name Bob\u{3}@name Ada\n")
    try terminal.wait { $0.text.contains("Name: Ada") && $0.line == ">" }
    #expect(!terminal.model.text.contains("Name: Bob"))
    terminal.type("\u{3}:quit\n")
    #expect(terminal.finish() == 0)
  }

  @Test("The lines of a text are no commands", arguments: [":history", ":again 1"])
  func textOfCommands(line: String) throws {
    let terminal = try console()
    terminal.type("@name <<END\n")
    try terminal.wait(forLine: "…")
    terminal.type(line + "\n")
    try terminal.wait(forLine: "…")
    terminal.type("END\n")
    try terminal.wait { $0.text.contains("Name: \(line)") && $0.line == ">" }
    terminal.type(":quit\n")
    #expect(terminal.finish() == 0)
  }

  @Test("A new size counts also while the app works")
  func resizedMeanwhile() throws {
    let terminal = try console()
    terminal.type(":sleep 1.5\n")
    terminal.read(for: 300)
    terminal.resize(columns: 40, rows: 24)
    try terminal.wait("a title of 40 columns") { model in
      model.line == ">"
        && model.text.split(separator: "\n").contains {
          $0.hasPrefix("── Console") && $0.hasSuffix("─") && $0.count <= 40
        }
    }
    terminal.type(":quit\n")
    #expect(terminal.finish() == 0)
  }
}
