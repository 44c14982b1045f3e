@_spi(Host) import AppCore
import Support
import Testing

@testable import Shell

@Suite("Values of several lines") struct TextOfLinesTests {
  private let notes = screen { screen in
    screen.field("Notes", id: "notes", text: "", isMultiline: true, action: { .tapped($0) })
    screen.field("Name", id: "name", text: "", action: { .tapped($0) })
    screen.button("Go", id: "go", action: .tapped("go"))
  }

  /// What the last of the lines comes to; all before it must ask for more.
  private func intent(_ lines: [String], _ settings: SessionSettings = .init()) -> Intent {
    var session = ShellSession.showing(notes, settings)
    var last = Intent.nothing
    for (index, line) in lines.enumerated() {
      last = session.interpret(line, on: notes)
      if index + 1 < lines.count { #expect(last == .needsMoreLines, "\(line)") }
    }
    #expect(!session.isInText)
    return last
  }

  @Test("The lines up to the end are the value, whatever they look like")
  func value() {
    #expect(
      intent(["1 <<END", "# no comment", "", ":quit", " END", #""quoted""#, "END"]).input
        == .text("# no comment\n\n:quit\n END\n\"quoted\""))
    #expect(intent(["@notes <<E", "a\r", "b\r", "E\r"]).input == .text("a\nb"))
    #expect(intent(["Notes = <<END", "END"]).input == .text(""))
    #expect(intent([#"1 <<END"#, "a\u{2028}b", "END"], ShellSession.json).input != nil)
  }

  @Test("A field of one line takes one line of them")
  func oneLine() {
    #expect(intent(["2 <<END", "a", "END"]).input == .text("a"))
    #expect(intent(["2 <<END", "a", "b", "END"]).code == "newline-in-value")
  }

  @Test("A text for a control that takes none is refused after its end, and no line of it runs")
  func refusedAfterEnd() {
    #expect(intent(["3 <<END", ":quit", "END"]).code == "value-unexpected")
    #expect(intent(["9 <<END", ":quit", "END"]).code == "no-such-control")
    #expect(intent(["Nope = <<END", ":quit", "END"]).code == "no-such-control")
    #expect(intent(["1 <<END", "a\0b", ":quit", "END"]).code == "nul")
  }

  @Test("Bytes that are no UTF-8 are refused after the end")
  func badUTF8() {
    var session = ShellSession.showing(notes)
    #expect(session.interpret("1 <<END", on: notes) == .needsMoreLines)
    #expect(session.interpret([0xff, 0xfe], on: notes) == .needsMoreLines)
    #expect(session.interpret("END", on: notes).code == "bad-utf8")
    #expect(session.interpret("3", on: notes).input == .press)
  }

  @Test("A text that is too long is refused after its end")
  func tooLong() {
    var session = ShellSession.showing(notes)
    #expect(session.interpret("1 <<END", on: notes) == .needsMoreLines)
    let megabyte = [UInt8](repeating: 0x61, count: 1 << 20)
    for _ in 0..<17 { #expect(session.interpret(megabyte, on: notes) == .needsMoreLines) }
    #expect(session.interpret("END", on: notes).code == "line-too-long")
    #expect(session.interpret("1 <<END", on: notes) == .needsMoreLines)
    #expect(session.refuseTooLong(limit: 5) == .needsMoreLines)
    #expect(session.interpret("END", on: notes).code == "line-too-long")
    #expect(session.refuseTooLong(limit: 5).code == "line-too-long")
  }

  @Test("The input's end before the text's is refused")
  func unterminated() {
    var session = ShellSession.showing(notes)
    #expect(session.end() == .nothing)
    _ = session.interpret("1 <<STOP", on: notes)
    #expect(session.isInText)
    #expect(
      session.end().text == "the input ended before the line 'STOP' that ends the text")
    #expect(!session.isInText)
  }

  @Test("A text that another process has begun is refused after its end, and no line of it runs")
  func continued() {
    func end(of line: String, in session: ShellSession) -> String? {
      session.unfinishedText(after: .line(Array(line.utf8)))?.end
    }
    var session = ShellSession.showing(notes)
    #expect(end(of: "@notes <<END", in: session) == "END")
    #expect(end(of: "@notes END", in: session) == nil)
    #expect(end(of: "{} = <<END", in: ShellSession.showing(notes, ShellSession.json)) == nil)
    session.continueText("@notes <<END", end: "END", refusing: .tooLong(limit: 5))
    #expect(session.loggedText == "@notes <<END")
    #expect(end(of: ":quit", in: session) == "END")
    #expect(session.interpret(":quit", on: notes) == .needsMoreLines)
    #expect(end(of: "END", in: session) == nil)
    #expect(session.interpret("END", on: notes).code == "line-too-long")
    #expect(session.interpret("3", on: notes).input == .press)
  }

  @Test("The number means the screen that showed when the text was begun")
  func staleText() {
    var session = ShellSession.showing(notes)
    _ = session.interpret("1 <<END", on: notes)
    let other = screen(owner: "2") { screen in
      screen.field("Notes", id: "notes", text: "", isMultiline: true, action: { .tapped($0) })
    }
    _ = session.frame(other)
    #expect(session.interpret("END", on: other).code == "stale")
  }
}
