import Foundation
import Testing

@Suite("appcore run, on a terminal")
struct TerminalTests {
  private func start() throws -> PseudoTerminal {
    try PseudoTerminal(
      buildFolder.appendingPathComponent("appcore").path, ["run", "manifests/packages.yaml"],
      environment: ["APPCORE_DPKG_STATUS": "Tests/Fixtures/dpkg/demo-status"])
  }

  @Test("A person filters, walks a circle of dependencies, answers the dialog, goes back, leaves")
  func walk() throws {
    let terminal = try start()
    try terminal.wait(for: "5 installed of 6 known")
    try terminal.wait(for: "> ")
    terminal.type("1 libgcc")
    try terminal.wait(for: "Filter: libgcc\r\n")
    try terminal.wait(for: "> ")
    terminal.type("libgcc-s1")
    try terminal.wait(for: "── list › detail ─")
    terminal.type("@depends.libc6")
    try terminal.wait(for: "── list › detail › detail ─")
    terminal.type("@depends.libgcc-s1")
    try terminal.wait(for: "── list › detail › detail › detail ─")
    terminal.type("Open homepage")
    try terminal.wait(for: "Show the address http://gcc.gnu.org/?")
    terminal.type("1")
    try terminal.wait(for: "ready to copy:")
    try terminal.wait(for: "http://gcc.gnu.org/")
    terminal.type(":back")
    try terminal.wait(for: "── libc6 ── list › detail › detail ─")
    terminal.type(":quit")
    #expect(terminal.finish() == 0)
  }

  @Test("A refused line says why, and the prompt comes back")
  func refusal() throws {
    let terminal = try start()
    try terminal.wait(for: "> ")
    terminal.type("99")
    let seen = try terminal.wait(for: "\n> ")
    #expect(seen.contains("[no-such-control]"))
    terminal.type(":bakc")
    try terminal.wait(for: "did you mean ':back'?")
    terminal.type(":quit")
    #expect(terminal.finish() == 0)
  }

  @Test("What a command prints stays in sight: the screen is not printed below it")
  func commandOutput() throws {
    let terminal = try start()
    try terminal.wait(for: "> ")
    terminal.type(":graph")
    let seen = try terminal.wait(for: "\n> ")
    #expect(seen.contains("▶ list"))
    #expect(seen.contains("packageSelected"))
    #expect(!seen.contains("5 installed"))
    terminal.type(":quit")
    #expect(terminal.finish() == 0)
  }

  @Test("The end of the input leaves the app")
  func endOfInput() throws {
    let terminal = try start()
    try terminal.wait(for: "> ")
    terminal.type("\u{04}")
    terminal.type("\u{04}")
    #expect(terminal.finish() == 0)
  }
}
