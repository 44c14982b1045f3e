import Foundation
import TestSupport
import Testing

@Suite("appcore run, on a terminal", .ownThread)
struct TerminalTests {
  private func start() throws -> TypedTerminal {
    let terminal = try TypedTerminal(
      ["run", "manifests/packages.yaml"],
      rows: 40, environment: ["APPCORE_DPKG_STATUS": "Tests/Fixtures/dpkg/demo-status"])
    try terminal.wait { $0.text.contains("5 installed of 6 known") && $0.line == ">" }
    return terminal
  }

  @Test("A person filters, walks a circle of dependencies, answers the dialog, goes back, leaves")
  func walk() throws {
    let terminal = try start()
    func type(_ line: String, seeing text: String) throws {
      terminal.type(line + "\r")
      try terminal.wait(text) { $0.text.contains(text) && $0.line == ">" }
    }
    try type("1 libgcc", seeing: "Filter: libgcc")
    try type("libgcc-s1", seeing: "── Packages › Package ─")
    try type("@depends.libc6", seeing: "── Packages › Package › Package ─")
    try type("@depends.libgcc-s1", seeing: "── Packages › Package › Package › Package ─")
    try type("Open homepage", seeing: "Show the address http://gcc.gnu.org/?")
    try type("1", seeing: "ready to copy:")
    try type(":back", seeing: "── libc6 ── Packages › Package › Package ─")
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
    #expect(terminal.model.unknown == [])
  }

  @Test("A refused line says why, and the prompt comes back")
  func refusal() throws {
    let terminal = try start()
    terminal.type("99\r")
    try terminal.wait { $0.text.contains("[no-such-control]") && $0.line == ">" }
    terminal.type(":bakc\r")
    try terminal.wait { $0.text.contains("did you mean ':back'?") && $0.line == ">" }
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("The output of a command stays in sight: the screen is not printed below it")
  func commandOutput() throws {
    let terminal = try start()
    terminal.type(":graph\r")
    try terminal.wait { $0.text.contains("packageSelected") && $0.line == ">" }
    let seen = terminal.model.text
    #expect(seen.contains("▶ list"))
    #expect(seen.components(separatedBy: "5 installed").count == 2)
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("The end of the input leaves the app")
  func endOfInput() throws {
    let terminal = try start()
    terminal.type("\u{4}")
    #expect(terminal.finish() == 0)
  }
}
