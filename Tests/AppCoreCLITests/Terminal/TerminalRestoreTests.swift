import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The terminal afterwards", .ownThread) struct TerminalRestoreTests {
  @Test(
    "A plugin that traps, runs out of stack or exits leaves the terminal as it was",
    arguments: ["@trap", "@recursion", "@exit"])
  func crashes(line: String) throws {
    let terminal = try TypedTerminal.console(options: ["--no-supervise"])
    #expect(!terminal.modes.echoes)
    terminal.type(line + "\r")
    #expect(terminal.finish() != 0)
    #expect(terminal.modes == terminal.modesBefore)
    #expect(!terminal.model.marksPastes)
  }

  @Test(
    "A signal that ends the process leaves the terminal as it was",
    arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGSEGV, SIGUSR1])
  func signals(signal: Int32) throws {
    // A supervisor restores the app after those that don't ask for its end.
    let terminal = try TypedTerminal.console(options: ["--no-supervise"])
    #expect(!terminal.modes.echoes)
    kill(terminal.child, signal)
    #expect([signal, 128 + signal].contains(terminal.finish()))
    #expect(terminal.modes == terminal.modesBefore)
    #expect(!terminal.model.marksPastes)
  }

  @Test("Every signal that would end the process does, those of which nobody thinks too")
  func rareSignals() throws {
    // SIGIO, SIGPWR, SIGSTKFLT and real-time ones.
    for signal: Int32 in [29, 30, 16, 34, 50, 64] {
      let terminal = try TypedTerminal.console(options: ["--no-supervise"])
      kill(terminal.child, signal)
      _ = terminal.finish()
      #expect(terminal.modes == terminal.modesBefore, "signal \(signal)")
      #expect(!terminal.model.marksPastes)
    }
  }

  @Test("A stop that comes from elsewhere than the keyboard gives the terminal to the shell")
  func stopped() throws {
    let terminal = try consoleInShell()
    for number in 0..<10 {
      terminal.type("x")
      try terminal.wait(forLine: "> " + String(repeating: "x", count: number + 1))
      kill(terminal.child, SIGTSTP)
      try terminal.wait("the modes of before") {
        terminal.modes == terminal.modesBefore && !$0.marksPastes
      }
      terminal.type("fg\n")
      try terminal.wait { $0.line == "> " + String(repeating: "x", count: number + 1) }
      try terminal.wait("no echo") { _ in !terminal.modes.echoes }
    }
    terminal.type("\u{15}:quit\r")
    try terminal.wait { $0.line.hasPrefix("$") }
    #expect(terminal.modes == terminal.modesBefore)
    terminal.type("exit\n")
    #expect(terminal.finish() == 0)
  }

  @Test("Ctrl-C and then SIGTERM while it starts leave the terminal as it was")
  func starting() throws {
    for number in 0..<20 {
      let terminal = try TypedTerminal(["run", "Tests/Fixtures/manifests/console/console.yaml"])
      try terminal.wait("the program") { _ in terminal.hasProgram }
      usleep(UInt32(number) * 10_000)
      kill(terminal.child, SIGINT)
      usleep(UInt32(number % 4) * 3000)
      kill(terminal.child, SIGTERM)
      #expect(terminal.finish() > 0)
      #expect(terminal.modes == terminal.modesBefore, "after \(number * 10) ms")
    }
  }

  @Test("So does one that comes while a secret is asked for, on a plain terminal too")
  func secret() throws {
    for environment in [[:], ["TERM": "dumb"]] {
      let terminal = try TypedTerminal.console(environment: environment)
      terminal.type("@password\r")
      try terminal.wait(forLine: "Password:")
      try terminal.wait("no echo") { _ in !terminal.modes.echoes }
      terminal.type("hun")
      terminal.read(for: 50)
      kill(terminal.child, SIGTERM)
      #expect([SIGTERM, 128 + SIGTERM].contains(terminal.finish()))
      #expect(terminal.modes == terminal.modesBefore)
      #expect(!terminal.model.text.contains("hun"))
    }
  }

  @Test("Ctrl-\\ ends the process at once")
  func quitting() throws {
    let terminal = try TypedTerminal.console()
    terminal.type("abc\u{1c}")
    #expect([SIGQUIT, 128 + SIGQUIT].contains(terminal.finish()))
    #expect(terminal.modes == terminal.modesBefore)
  }

  @Test("A terminal that hangs up ends the app")
  func end() throws {
    let terminal = try TypedTerminal.console()
    terminal.type("\u{4}")
    #expect(terminal.finish() == 0)
    #expect(terminal.modes == terminal.modesBefore)
  }

  @Test("Ctrl-Z gives the terminal to the shell, and fg brings back the screen and the line")
  func suspending() throws {
    let terminal = try consoleInShell()
    terminal.type("half a line")
    try terminal.wait(forLine: "> half a line")
    terminal.type("\u{1a}")
    try terminal.wait(for: "Stopped")
    try terminal.wait("the modes of before") { _ in terminal.modes == terminal.modesBefore }
    #expect(!terminal.model.marksPastes)
    terminal.type("fg\n")
    try terminal.wait { $0.line == "> half a line" && $0.cursor.column == 13 }
    #expect(!terminal.modes.echoes)
    #expect(terminal.model.marksPastes)
    // The screen is drawn once: before the stop, and after it.
    terminal.readAll()
    let rows = terminal.model.scrollback + terminal.model.screen
    #expect(rows.count { $0.hasPrefix("── Console") } == 2, "\(rows.joined(separator: "\n"))")
    terminal.type("\u{15}:quit\r")
    try terminal.wait { $0.line.hasPrefix("$") }
    #expect(terminal.modes == terminal.modesBefore)
    terminal.type("exit\n")
    #expect(terminal.finish() == 0)
  }

  @Test("The reply to a line that Ctrl-Z follows at once is shown after fg")
  func suspendedWork() throws {
    let terminal = try consoleInShell()
    for number in 1...5 {
      terminal.type(":path\r\u{1a}")
      try terminal.wait("it stopped") { _ in terminal.modes == terminal.modesBefore }
      try terminal.wait { $0.line.hasPrefix("$") }
      terminal.type("fg\n")
      try terminal.wait("the path") {
        let rows = $0.scrollback + $0.screen
        return rows.count { $0 == "/panel;interval=0" } == number && $0.line == ">"
      }
    }
    terminal.type(":quit\r")
    try terminal.wait { $0.line.hasPrefix("$") }
    terminal.type("exit\n")
    #expect(terminal.finish() == 0)
  }

  @Test("A line that was sent is there once, though Ctrl-Z stops its work")
  func suspendedLine() throws {
    let terminal = try consoleInShell()
    terminal.type(":sleep 2\r")
    try terminal.wait { $0.text.contains("> :sleep 2") && $0.line != "> :sleep 2" }
    terminal.type("\u{1a}")
    try terminal.wait(for: "Stopped")
    let rows = terminal.model.scrollback + terminal.model.screen
    #expect(rows.count { $0.contains("> :sleep 2") } == 1, "\(rows.joined(separator: "\n"))")
    terminal.type("fg\n")
    try terminal.wait(forLine: ">")
    terminal.type(":quit\r")
    try terminal.wait { $0.line.hasPrefix("$") }
    terminal.type("exit\n")
    #expect(terminal.finish() == 0)
  }

  /// A shell in which the console runs.
  private func consoleInShell() throws -> TypedTerminal {
    let terminal = try TypedTerminal(
      "/bin/bash", ["--norc", "--noprofile", "--noediting", "-i"], environment: ["PS1": "$ "])
    try terminal.wait(for: "$")
    let appcore = buildFolder.appendingPathComponent("appcore").path
    terminal.type("\(appcore) run Tests/Fixtures/manifests/console/console.yaml 2>/dev/null\n")
    try terminal.wait(forLine: ">")
    return terminal
  }
}
