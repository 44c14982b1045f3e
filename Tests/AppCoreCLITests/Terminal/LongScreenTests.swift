import TestSupport
import Testing

@Suite("A screen longer than the window", .ownThread) struct LongScreenTests {
  private func member(rows: Int = 30, environment: [String: String] = [:]) throws -> TypedTerminal {
    let terminal = try TypedTerminal(
      NotesProgram.appcore, ["run", "Tests/Fixtures/manifests/console/member.yaml"], rows: rows,
      environment: environment)
    try terminal.wait("the prompt") { $0.line == ">" && $0.text.contains("Number") }
    return terminal
  }

  @Test("What fits is shown around what has changed, with words about the rest")
  func parts() throws {
    let terminal = try member()
    #expect(terminal.model.scrollback.allSatisfy { !$0.contains("Number") })
    #expect(terminal.model.text.contains("[1] Number 1: (empty)"))
    try terminal.wait(for: "lines below, with [")
    try terminal.wait(for: "] to [42]: PageDown, or Ctrl-L for all")
    // The problem of the field just typed is in view, with the title.
    terminal.type("@phone-33 555-O123\r")
    try terminal.wait { $0.text.contains("✗ a number has digits and '-'") && $0.line == ">" }
    let screen = terminal.model.screen
    let title = try #require(screen.lastIndex { $0.hasPrefix("── Member") })
    #expect(screen[title...].contains { $0.hasSuffix("[33] Number 33: 555-O123") })
    #expect(screen[title + 1].hasPrefix("↑ "))
    #expect(screen[title...].contains { $0.hasPrefix("↓ ") })
    // What is not in view can be used; a button shows what it has changed.
    terminal.type("@add\r")
    try terminal.wait { $0.text.contains("Number 41: (empty)") && $0.line == ">" }
    terminal.type("1 12\r")
    try terminal.wait { $0.text.contains("Number 1: 12") && $0.line == ">" }
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
    #expect(terminal.model.unknown == [])
  }

  @Test("Page Down and Page Up show the rest, and Ctrl-L all of it")
  func scrolling() throws {
    let terminal = try member()
    terminal.type("\u{1b}[6~")
    try terminal.wait { $0.text.contains("↑ ") && !$0.text.contains("Number 1:") }
    #expect(terminal.model.line == ">")
    // The line that is being typed stays.
    terminal.type("zz\u{1b}[6~")
    try terminal.wait(for: "Number 18:")
    try terminal.wait(forLine: "> zz")
    terminal.type("\u{15}\u{1b}[5~\u{1b}[5~")
    try terminal.wait(for: "Number 1:")
    terminal.type("\u{c}")
    try terminal.wait { $0.text.contains("[42] Save") && $0.line == ">" }
    #expect(terminal.model.scrollback.contains { $0.contains("Number 1:") })
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
    #expect(terminal.model.unknown == [])
  }

  @Test("A window may become smaller and larger")
  func sizes() throws {
    let terminal = try member()
    terminal.type("@phone-33 x\r")
    try terminal.wait { $0.text.contains("✗ a number has digits") && $0.line == ">" }
    terminal.resize(columns: 80, rows: 12)
    try terminal.wait { $0.text.contains("↓ ") && $0.line == ">" }
    terminal.resize(columns: 80, rows: 200)
    try terminal.wait { $0.text.contains("[42] Save") && $0.line == ">" }
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("Linear text is printed whole")
  func linear() throws {
    let terminal = try member(environment: ["APPCORE_PLAIN": "1"])
    let rows = terminal.model.scrollback + terminal.model.screen
    #expect(rows.contains { $0.contains("Number 1:") })
    #expect(rows.contains { $0.contains("[42] Save") })
    terminal.type(":quit\n")
    #expect(terminal.finish() == 0)
  }
}
