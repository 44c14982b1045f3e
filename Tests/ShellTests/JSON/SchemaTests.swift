@_spi(Host) import AppCore
import Foundation
import TestSupport
import Testing

@testable import Shell
@testable import Support

@Suite("schema/shell-1.json") struct SchemaTests {
  private let schema: SchemaValidator

  init() throws {
    let file = packageFolder.appending(path: "schema/shell-1.json")
    schema = try SchemaValidator(String(contentsOf: file, encoding: .utf8))
  }

  private func expectFits(_ lines: [String]) throws {
    for line in lines {
      #expect(schema.problems(of: try JSONReader.value(line.utf8)) == [])
    }
  }

  @Test("A screen with everything fits it, and so do odd numbers and empty lists")
  func frames() throws {
    var session = ShellSession(SessionSettings(format: .json))
    try expectFits(session.frame(Samples.everything))
    let odd = screen { screen in
      screen.sparkline("L", values: [.nan, .infinity, 1], in: -1...1)
      screen.bars([Bar("a", -.infinity)], maximum: .nan)
      screen.bars([])
      screen.list(0..<0, placeholder: "none") { _ in Row("x") }
      screen.list(0..<2) { Row("plain \($0)") }
      screen.numberField("N", value: nil) { .number($0) }
      screen.dateField("D", value: CalendarDate("2026-03-01")) { .tapped("\($0)") }
      screen.dateField("E", value: nil) { .tapped("\($0)") }
      screen.choice("C", options: [], selected: nil) { .tapped($0) }
      screen.field("F", id: "f", text: "", suggestions: ["a", "b"]) { .tapped($0) }
      screen.progress("Reading", id: "stop", cancelAction: .tapped(""))
      screen.section("S") { $0.section("T") { $0.progress("P") } }
    }
    try expectFits(session.frame(odd))
    try expectFits(session.frame(Samples.products()))
    try expectFits(session.frame(Samples.products(sort: TableSort("Uses", isDescending: true))))
    try expectFits(session.frame(Samples.files(selection: ["a"])))
    try expectFits(session.frame(Samples.columns))
    _ = session.interpret(":find plain", on: odd)
    try expectFits(session.frame(odd))
  }

  @Test("So do screens that tell what caused them, and refusals that tell of which line")
  func causes() throws {
    var settings = SessionSettings(format: .json)
    settings.includesCauses = true
    var session = ShellSession(settings)
    for cause in [
      ScreenCause(origin: "start"), ScreenCause(origin: "line", line: 3),
      ScreenCause(origin: "effect", action: ".internal(.a)", node: "n"),
    ] {
      let lines = session.frame(screen(chrome: Chrome(cause: cause)) { $0.text("x") })
      #expect(lines.first?.contains("\"cause\":{\"origin\":\"\(cause.origin)\"") == true)
      try expectFits(lines)
    }
    let refusal = session.lines(for: .notShown("x"), line: 7)
    #expect(refusal.first?.hasSuffix(",\"line\":7}") == true)
    try expectFits(refusal)
  }

  @Test("Every refusal and every command's output fits it")
  func others() throws {
    let session = ShellSession(SessionSettings(format: .json))
    try expectFits(session.lines(for: .notShown("x")))
    try expectFits(session.help(nil))
    try expectFits(session.output([], value: ["a": 1], of: .state))
    try expectFits(session.output(["a\nb"], of: .log))
  }

  @Test("The input lines of the documentation fit it, and wrong ones don't")
  func input() throws {
    for line in [
      #"{"press": 3, "value": "x", "screen": 12}"#, #"{"id": "a", "value": true}"#,
      #"{"label": "Filter", "value": 1.5}"#, #"{"line": ":back"}"#,
    ] {
      #expect(schema.problems(of: try JSONReader.value(line.utf8), definition: "input") == [])
    }
    for line in ["{}", #"{"press": "3"}"#, #"{"id": "a", "line": ":back"}"#, #"{"x": 1}"#] {
      #expect(schema.problems(of: try JSONReader.value(line.utf8), definition: "input") != [])
    }
  }

  @Test("The check finds what is wrong")
  func check() throws {
    var session = ShellSession(SessionSettings(format: .json))
    let line = session.frame(Samples.everything)[0]
    for (good, bad) in [
      ("\"version\":1", "\"version\":2"), ("\"kind\":\"heading\"", "\"kind\":\"headline\""),
      ("\"enabled\":true", "\"enabled\":1"), ("\"title\":", "\"titel\":"),
    ] {
      let changed = line.replacing(good, with: bad, maxReplacements: 1)
      #expect(changed != line)
      #expect(schema.problems(of: try JSONReader.value(changed.utf8)) != [])
    }
  }
}
