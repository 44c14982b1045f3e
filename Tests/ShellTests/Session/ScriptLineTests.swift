import Testing

@testable import Shell

@Suite("Lines that a script repeats") struct ScriptLineTests {
  @Test("A line is repeated whole; of a JSON object its line, and other objects have none")
  func lines() {
    let long = ":open " + String(repeating: "far/", count: 200)
    let rows: [(SessionSettings, String, String?)] = [
      (SessionSettings(), "  \(long) ", long),
      (SessionSettings(), #"{"line": ":back"}"#, #"{"line": ":back"}"#),
      (ShellSession.json, #"{"line": ":open far"}"#, ":open far"),
      (ShellSession.json, ":back", ":back"), (ShellSession.json, #"{"press": 3}"#, nil),
    ]
    for (settings, line, repeated) in rows {
      #expect(ShellSession(settings).scriptLine(Array(line.utf8)) == repeated)
    }
  }
}
