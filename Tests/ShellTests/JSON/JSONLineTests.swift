@_spi(Host) import AppCore
internal import Support
import Testing

@testable import Shell

@Suite("Lines of JSON") struct JSONLineTests {
  private let everything = Samples.everything

  private func intent(_ line: String) -> Intent {
    var session = ShellSession.showing(everything, ShellSession.json)
    return session.interpret(line, on: everything)
  }

  @Test("A control is named by number, identifier or label")
  func targets() {
    #expect(intent(#"{"press": 10}"#).control == "Refresh")
    #expect(intent(#"{"press":10,"screen":1}"#).control == "Refresh")
    #expect(intent(#"{"id": "file-400"}"#).input == .row(400))
    #expect(intent(#"  {"label": "REFRESH"}  "#).control == "Refresh")
    #expect(intent(#"{"line": ":back"}"#) == .command(.back))
    #expect(intent(#"{"line": "1 x"}"#).input == .text("x"))
  }

  @Test("A value is taken as it is, by its type")
  func values() {
    #expect(intent(#"{"id":"name","value":"<<END"}"#).input == .text("<<END"))
    #expect(intent(#"{"id":"name","value":"\"x\""}"#).input == .text(#""x""#))
    #expect(intent(#"{"id":"limit","value":2.5}"#).input == .number(2.5))
    #expect(intent(#"{"id":"limit","value":3}"#).input == .number(3))
    #expect(intent(#"{"id":"limit","value":"4"}"#).input == .number(4))
    #expect(intent(#"{"id":"direct","value":true}"#).input == .toggle(true))
    #expect(intent(#"{"id":"direct"}"#).input == .toggle(false))
    #expect(intent(#"{"id":"direct","value":null}"#).input == .toggle(false))
    #expect(intent(#"{"id":"sort","value":"date"}"#).input == .choice("date"))
    #expect(intent(#"{"id":"name","value":5}"#).code == "wrong-type")
    #expect(intent(#"{"id":"limit","value":true}"#).code == "wrong-type")
    #expect(intent(#"{"id":"sort","value":1}"#).code == "wrong-type")
    #expect(intent(#"{"id":"direct","value":1}"#).code == "wrong-type")
    #expect(intent(#"{"press":10,"value":"x"}"#).code == "value-unexpected")
  }

  @Test(
    "An unknown option is refused, with its place",
    arguments: [
      "{", "{}", "{\"press\":1", #"{"press":"1"}"#, #"{"press":1.5}"#, #"{"press":1,"id":"a"}"#,
      #"{"pres":1}"#, #"{"press":1,"press":2}"#, #"{"id":3}"#, #"{"id":"a","value":[1]}"#,
      #"{"id":"a","value":{}}"#, #"{"press":1,"screen":"1"}"#, #"{"line":"3","value":"x"}"#,
      #"{"line":"3 <<END"}"#, #"{"line":"a\nb"}"#, #"{"press":1}x"#, #"{"press":01}"#,
    ])
  func refused(line: String) {
    #expect(intent(line).code == "bad-json")
  }

  @Test("NUL is refused in every part")
  func nul() {
    #expect(intent(#"{"id":"name","value":"\u0000"}"#).code == "nul")
    #expect(intent(#"{"id":"\u0000"}"#).code == "nul")
    #expect(intent(#"{"line":"\u0000"}"#).code == "nul")
  }

  @Test("A number is never taken for a label, for JSON can tell them apart")
  func numbers() {
    let screen = screen { screen in
      screen.button("2", id: "a", action: .tapped("a"))
      screen.button("b", id: "b", action: .tapped("b"))
    }
    var session = ShellSession.showing(screen, ShellSession.json)
    #expect(session.interpret(#"{"press":2}"#, on: screen).control == "b")
    #expect(session.interpret(#"{"label":"2"}"#, on: screen).control == "2")
  }

  @Test("Where screens aren't JSON, a line in braces is a label")
  func textSession() {
    let screen = screen { $0.button("{x}", id: "x", action: .tapped("x")) }
    var session = ShellSession.showing(screen)
    #expect(session.interpret("{x}", on: screen).control == "{x}")
    var json = ShellSession.showing(screen, ShellSession.json)
    #expect(json.interpret(#""{x}""#, on: screen).control == "{x}")
    #expect(json.interpret("1", on: screen).control == "{x}")
  }

  @Test("A refused line is an object with code and text")
  func refusals() {
    var session = ShellSession.showing(everything, ShellSession.json)
    guard case .refused(let refusal) = session.interpret("99", on: everything) else {
      Issue.record("not refused")
      return
    }
    #expect(
      session.lines(for: refusal) == [
        #"{"error":{"code":"no-such-control","#
          + #""text":"there is no control 99; they run from 1 to 34"}}"#
      ])
  }
}
