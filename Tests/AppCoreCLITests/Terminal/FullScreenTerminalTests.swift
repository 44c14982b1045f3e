import Foundation
import Glibc
import TestSupport
import Testing

/// What full screen makes of a terminal, and how it leaves it.
@Suite("The terminal full screen", .ownThread)
struct FullScreenTerminalTests {
  @Test("Where it can't be shown there are lines, and a note says why")
  func obstacles() throws {
    let dumb = try TypedTerminal.packages(environment: ["TERM": "dumb"])
    try dumb.wait { _ in dumb.received.contains("Not full screen: ") }
    dumb.type(":full-screen\n:quit\n")
    #expect(dumb.finish() == 0)
    let small = try TypedTerminal.packages(columns: 19, rows: 24)
    // The first screen may already be where it was.
    try small.wait { _ in small.received.contains("Not full screen: it") }
    small.type(":quit\r")
    #expect(small.finish() == 0)
    #expect(!small.model.isAlternate)
  }

  @Test(
    "What is not ASCII is drawn only in a locale that says it is UTF-8, or if none is set",
    arguments: [
      ("C.UTF-8", true), ("de_DE.utf8", true), ("", true), ("C", false), ("de_DE", false),
      ("ru_RU.KOI8-R", false), ("en_US.ISO-8859-1", false), ("zh_CN.GB18030", false),
    ])
  func locales(name: String, isUnicode: Bool) throws {
    let terminal = try TypedTerminal.fullScreen(
      environment: ["LC_ALL": name, "LC_CTYPE": "", "LANG": ""])
    #expect(terminal.model.text.contains("─") == isUnicode)
    terminal.leave()
  }

  @Test("A new size is drawn to, down to one cell and back")
  func resizing() throws {
    let terminal = try TypedTerminal.packages()
    try terminal.wait(for: "› Filter")
    for (columns, rows) in [(40, 12), (1, 1), (200, 60), (20, 5), (80, 24)] {
      terminal.resize(columns: columns, rows: rows)
      guard columns >= 20 else { continue }
      try terminal.wait("\(columns) × \(rows)") {
        $0.screen.first?.hasPrefix(" Packages") == true && $0.text.contains("F1 help")
      }
      #expect(terminal.model.rows == rows)
    }
    terminal.leave()
  }

  @Test("Of many sizes in a row, the last is drawn")
  func manySizes() throws {
    let terminal = try TypedTerminal.packages()
    try terminal.wait(for: "› Filter")
    for round in 0..<10 {
      // Faster than they can be drawn.
      for step in 0..<20 {
        terminal.terminal.resize(columns: 40 + step * 3, rows: 12 + step)
        usleep(500)
      }
      let (columns, rows) = (50 + round * 5, 14 + round)
      terminal.resize(columns: columns, rows: rows)
      try terminal.wait("\(columns) × \(rows)") {
        $0.screen.first?.hasPrefix(" Packages") == true
          && $0.screen.last?.contains("F1 help") == true
      }
    }
    terminal.leave()
  }

  @Test("While nothing happens, nothing is written")
  func idle() throws {
    let terminal = try TypedTerminal.packages()
    try terminal.wait(for: "› Filter")
    terminal.readAll()
    let count = terminal.model.written
    #expect(!terminal.read(for: 500))
    #expect(terminal.model.written == count)
    terminal.leave()
  }

  @Test(
    "A signal that ends the process leaves the terminal as it was",
    arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGKILL])
  func signals(signal: Int32) throws {
    let terminal = try TypedTerminal.fullScreen(
      options: signal == SIGKILL ? [] : ["--no-supervise"])
    guard signal == SIGKILL else {
      kill(terminal.child, signal)
      return terminal.expectRestored(status: [signal, 128 + signal])
    }
    // The supervisor ends with the terminal's modes, however its worker ends.
    kill(terminal.child, SIGTERM)
    terminal.expectRestored(status: [SIGTERM, 128 + SIGTERM])
  }

  @Test("Ctrl-Z gives the terminal to the shell, and fg brings back the picture and the text")
  func suspending() throws {
    let terminal = try TypedTerminal(
      "/bin/bash", ["--norc", "--noprofile", "--noediting", "-i"],
      environment: ["PS1": "$ ", "LANG": "C.UTF-8"])
    try terminal.wait(for: "$")
    let appcore = buildFolder.appendingPathComponent("appcore").path
    terminal.type(
      "\(appcore) run Tests/Fixtures/manifests/console/console.yaml --full-screen 2>/dev/null\n")
    try terminal.wait(for: "F1 help")
    terminal.type("half a text")
    try terminal.wait(for: "[half a text")
    terminal.type("\u{1a}")
    try terminal.wait(for: "Stopped")
    try terminal.wait("the modes of before") { _ in terminal.modes == terminal.modesBefore }
    #expect(!terminal.model.isAlternate)
    terminal.type("fg\n")
    try terminal.wait { $0.isAlternate && $0.text.contains("[half a text") }
    terminal.type("\u{1b}")
    try terminal.wait { !$0.text.contains("half a text") }
    terminal.type("\u{11}")
    try terminal.wait { !$0.isAlternate && $0.line.hasPrefix("$") }
    #expect(terminal.modes == terminal.modesBefore)
    terminal.type("exit\n")
    #expect(terminal.finish() == 0)
  }
}
