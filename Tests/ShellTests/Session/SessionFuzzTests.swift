@_spi(Host) import AppCore
internal import Support
internal import TestSupport
import Testing

@testable import Shell

@Suite(
  "Sessions under any input",
  .notThreadSanitized("one thread for 100,000 steps, in which nothing can race"))
struct SessionFuzzTests {
  @Test("No line traps, in text or JSON, and a refused one changes nothing")
  func lines() {
    var random = SplitMix64(seed: 99)
    let pieces = [
      "1", "9", "15", "40", "@name", "@file-3", "Name", "Delete", " = ", " ", ":page ", ":find ",
      ":next", ":prev", ":press ", "on", "date", "\"", "\\", "{", "}", "\"press\":", "\"id\":",
      "\"value\":", ",", "<<E", "E", "\u{0}", "\r", "file-1", "\u{1b}", "é", "99999999999999999999",
      ":help ", ":wait ", "-", "{\"press\":3,\"screen\":1}",
    ]
    let screens = [
      Samples.everything, screen { _ in },
      screen(owner: "2") { $0.rows(0..<50, id: "files") },
    ]
    for settings in [SessionSettings(), ShellSession.json, ShellSession.terminal] {
      var session = ShellSession(settings)
      for _ in 0..<150 {
        guard let screen = screens.randomElement(using: &random) else { continue }
        var text = ""
        for _ in 0..<Int.random(in: 1..<6, using: &random) {
          text += pieces.randomElement(using: &random) ?? ""
        }
        let wasInText = session.isInText
        var before = session
        switch session.interpret(text, on: screen) {
        case .refused(let refusal):
          #expect(!refusal.message.isEmpty && !refusal.code.isEmpty)
          if !wasInText { #expect(session.frame(screen) == before.frame(screen), "\(text)") }
        case .activate(let activation):
          #expect((0..<max(screen.content.controlCount, 1)).contains(activation.control))
        case .redraw: _ = session.frame(screen)
        default: break
        }
      }
    }
  }
}

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
