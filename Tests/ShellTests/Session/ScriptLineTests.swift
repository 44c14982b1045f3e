import Testing

@testable import Shell

@Suite("Lines that a script repeats") struct ScriptLineTests {
  @Test("A line is repeated whole, without the space around it")
  func whole() {
    let session = ShellSession(SessionSettings())
    let long = ":open " + String(repeating: "far/", count: 200)
    #expect(session.scriptLine(Array("  \(long) ".utf8)) == long)
    #expect(session.scriptLine(Array(#"{"line": ":back"}"#.utf8)) == #"{"line": ":back"}"#)
  }

  @Test("In JSON it is the line in an object, and other objects have none")
  func json() {
    var settings = SessionSettings()
    settings.format = .json
    let session = ShellSession(settings)
    #expect(session.scriptLine(Array(#"{"line": ":open far"}"#.utf8)) == ":open far")
    #expect(session.scriptLine(Array(":back".utf8)) == ":back")
    #expect(session.scriptLine(Array(#"{"press": 3}"#.utf8)) == nil)
  }
}
