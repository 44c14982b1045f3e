import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Full screen, in an app that hangs or crashes", .ownThread)
struct FullScreenCrashTests {
  @Test("While the app is busy, what is typed in a field is seen there; Ctrl-C gives it up")
  func busy() throws {
    let terminal = try TypedTerminal.fullScreen(
      CrashingApp.manifest, options: ["--watchdog", "2"])
    terminal.type("\u{1b}[B")
    try terminal.wait(for: "› Fault:")
    terminal.type("reduce loop\r")
    try terminal.wait(for: "the app is at work")
    terminal.type("half a te\u{7f}t")
    // The value that the field will have is not known; most have what was sent.
    try terminal.wait(for: "[reduce loophalf a tt ")
    try terminal.wait(for: "the app has not answered")
    terminal.type("\u{3}")
    try terminal.wait(for: "Ctrl-C again restores")
    terminal.type("\u{3}")
    try terminal.wait { $0.text.contains("restored") && $0.text.contains("[reduce loop ") }
    terminal.leave(typing: "\u{3}\u{11}")
  }

  @Test("After a crash the focus, the position in a list and a half-typed text are as they were")
  func restoredPlaces() throws {
    let terminal = try TypedTerminal.packages()
    try terminal.wait(for: "› Filter")
    terminal.type("\u{1b}[B\u{1b}[B\u{1b}[B")
    try terminal.wait(for: "› gcc-12-base")
    try terminal.crash()
    try terminal.wait { $0.text.contains("› gcc-12-base") && $0.text.contains("restored") }
    terminal.type("\u{1b}[Ha\u{1b}[A\u{1b}[A")
    try terminal.wait(for: "› Filter")
    terminal.type("hal\u{1b}[Df")
    // The terminal shows keys in a field before the app, whose memory survives, has handled them.
    try terminal.wait(for: "No package matches 'hafl'.")
    try terminal.crash()
    try terminal.wait { $0.text.contains("[hafl ") && $0.text.contains("restored") }
    terminal.type("x")
    try terminal.wait(for: "[hafxl ")
    terminal.leave()
  }

  @Test("A half-typed secret is not kept for after a crash")
  func restoredSecret() throws {
    let terminal = try TypedTerminal.fullScreen()
    terminal.type("\ts3cret")
    try terminal.wait(for: "[••••••")
    try terminal.crash()
    try terminal.wait { $0.text.contains("› Password: [not set ") && $0.text.contains("restored") }
    terminal.leave()
  }

  @Test(
    "A plugin that traps or exits leaves the terminal as it was", arguments: ["@trap", "@exit"])
  func crashes(line: String) throws {
    let terminal = try TypedTerminal.fullScreen(options: ["--no-supervise"])
    terminal.type(":\u{15}\(line)\r")
    #expect(terminal.finish() != 0)
    #expect(terminal.modes == terminal.modesBefore)
    let model = terminal.model
    #expect(!model.isAlternate && !model.reportsMouse && !model.marksPastes)
  }

  @Test("After a crash the app is full screen again, and says what happened")
  func restored() throws {
    let terminal = try TypedTerminal.fullScreen()
    terminal.type("abc\r")
    try terminal.wait(for: "[abc ")
    terminal.type(":\u{15}@trap\r")
    try terminal.wait {
      $0.isAlternate && $0.text.contains("[abc ") && $0.text.contains("restored")
    }
    terminal.leave()
  }

  @Test("After a crash, the command that has left the lines is not half-typed")
  func restoredLines() throws {
    let terminal = try TypedTerminal.console(environment: ["LANG": "C.UTF-8"])
    try terminal.wait { $0.line == ">" }
    terminal.type(":full-screen\r")
    try terminal.wait { $0.isAlternate && $0.text.contains("F1 help") }
    terminal.type(":\u{15}@trap\r")
    try terminal.wait {
      !$0.isAlternate && $0.text.contains("restored") && $0.line.hasPrefix(">")
    }
    #expect(terminal.model.line == ">")
    terminal.type(":full-screen\r")
    try terminal.wait { $0.isAlternate && $0.text.contains("F1 help") }
    terminal.leave()
  }

  @Test("After a crash a half-typed command is there again, and a sent one is in the history")
  func restoredCommand() throws {
    let terminal = try TypedTerminal.fullScreen()
    terminal.type(":exp\u{1b}[D")
    try terminal.wait { $0.line == ":exp" }
    try terminal.crash()
    try terminal.wait { $0.line == ":exp" && $0.text.contains("restored") }
    terminal.type("X")
    try terminal.wait { $0.line == ":exXp" }
    terminal.type("\u{5}\u{15}@trap\r")
    try terminal.wait { $0.isAlternate && $0.text.contains("MockConsole") && $0.line != ":exXp" }
    terminal.type(":\u{15}\u{1b}[A")
    try terminal.wait { $0.line == "@trap" }
    terminal.leave()
  }
}
