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
}
