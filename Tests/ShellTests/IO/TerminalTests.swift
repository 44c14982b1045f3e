import Glibc
import TestSupport
import Testing

@testable import LineEditor
@testable import Support

@Suite(.serialized) struct TerminalTests {
  private func color(_ isTerminal: Bool, _ variables: [String: String]) -> Bool {
    TerminalFacts(isTerminal: isTerminal, reportedWidth: nil) { variables[$0] }.hasColor
  }

  @Test("Colour is decided by NO_COLOR, CLICOLOR_FORCE, TERM and the terminal, in this order")
  func color() {
    #expect(color(true, ["TERM": "xterm"]))
    #expect(!color(false, ["TERM": "xterm"]))
    #expect(!color(true, ["TERM": "dumb"]))
    #expect(!color(true, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"]))
    #expect(color(true, ["NO_COLOR": ""]))
    #expect(color(false, ["CLICOLOR_FORCE": "1"]))
    #expect(color(false, ["CLICOLOR_FORCE": "1", "TERM": "dumb"]))
    #expect(!color(false, ["CLICOLOR_FORCE": "0"]))
    #expect(!color(false, ["CLICOLOR_FORCE": ""]))
  }

  @Test("The width is the terminal's, else that of COLUMNS, else 80")
  func width() {
    func width(_ reported: Int?, _ columns: String?) -> Int {
      TerminalFacts(isTerminal: true, reportedWidth: reported) { $0 == "COLUMNS" ? columns : nil }
        .width
    }
    #expect(width(132, "60") == 132)
    #expect(width(0, "60") == 60)
    #expect(width(nil, nil) == 80)
    #expect(width(nil, "x") == 80)
    #expect(width(nil, "-4") == 80)
    #expect(width(3, nil) == 20)
    #expect(width(nil, "999999999999") == 1000)
  }

  @Test("A pseudo-terminal tells its width, a pipe is not a terminal")
  func facts() throws {
    let terminal = try PseudoTerminal()
    terminal.resize(columns: 97)
    let facts = TerminalFacts(descriptor: terminal.follower) { $0 == "TERM" ? "xterm" : nil }
    #expect(facts.isTerminal && facts.width == 97 && facts.hasColor)
    let pipe = try Pipe()
    let none = TerminalFacts(descriptor: pipe.writing) { _ in nil }
    #expect(!none.isTerminal && none.width == 80 && !none.hasColor)
  }

  @Test("A secret is typed unseen, and the terminal is afterwards as it was")
  func secret() throws {
    let terminal = try PseudoTerminal()
    let before = terminal.flags
    try #require(before & tcflag_t(ECHO) != 0)
    let (answer, output) = try terminal.ask("Password", typing: "hun\u{7f}nter1\u{8}2\r")
    #expect(answer == Array("hunter2".utf8))
    #expect(output == "Password: \r\n")
    #expect(terminal.flags == before)
  }

  @Test("Backspace takes a whole character, Ctrl-U everything, Ctrl-C gives up")
  func editing() throws {
    let terminal = try PseudoTerminal()
    #expect(try terminal.ask("P", typing: "aé\u{7f}b\n").answer == [0x61, 0x62])
    #expect(try terminal.ask("P", typing: "abc\u{15}x\n").answer == [0x78])
    #expect(try terminal.ask("P", typing: "abc\u{3}").answer == nil)
    #expect(try terminal.ask("P", typing: "\u{4}").answer == nil)
    #expect(try terminal.ask("P", typing: "\n").answer == [])
    #expect(terminal.flags & tcflag_t(ECHO) != 0)
  }

  @Test("Without a terminal the answer is the next line")
  func pipe() throws {
    let pipe = try Pipe()
    pipe.writeInThread([Array("abc\nrest".utf8)]).join()
    let null = open("/dev/null", O_WRONLY)
    defer { close(null) }
    func ask() throws -> [UInt8]? {
      try SecretPrompt.ask("P", input: pipe.reading, output: null)
    }
    #expect(try ask() == Array("abc".utf8))
    #expect(try ask() == Array("rest".utf8))
    #expect(try ask() == nil)
  }
}
