@_spi(Host) import AppCore
internal import TestSupport
import Testing

@testable import Shell

@Suite("Lines that mean a control") struct ControlLineTests {
  private let everything = Samples.everything

  private func intent(
    _ line: String, _ settings: SessionSettings = SessionSettings()
  ) -> Intent {
    var session = ShellSession.showing(everything, settings)
    return session.interpret(line, on: everything)
  }

  @Test("A line means an input of a control, or is refused with what is there instead")
  func meanings() throws {
    try expectTable("control-lines") { line in
      let intent = intent(line)
      if let input = intent.input { return "\(input)" }
      return "✗ \(intent.code ?? "none"): \(intent.text ?? "")"
    }
  }

  @Test("A number and a label mean the control that is called that")
  func names() {
    #expect(intent("10").control == "Refresh")
    #expect(intent("refresh").control == "Refresh")
    #expect(intent("12").control == "swift-nio")
    #expect(screenGuess("Filter =")?.contains("needs a value") == true)
    #expect(screenGuess("Filter some text")?.contains("did you mean 'Filter'?") == true)
  }

  @Test("Of two options with one label the id is asked for")
  func ambiguousOption() {
    let screen = screen { screen in
      screen.choice(
        "Unit", options: [ChoiceOption("a", label: "Same"), ChoiceOption("b", label: "same")],
        selected: nil, action: { .tapped($0) })
    }
    var session = ShellSession.showing(screen)
    #expect(session.interpret("1 same", on: screen).code == "ambiguous-option")
    #expect(session.interpret("1 b", on: screen).input == .choice("b"))
  }

  @Test("On a terminal a missing value is asked for")
  func prompts() throws {
    var session = ShellSession.showing(everything, ShellSession.terminal)
    guard case .prompt(let text) = session.interpret("1", on: everything),
      case .prompt(let choice) = session.interpret("Sort", on: everything),
      case .prompt(let secret) = session.interpret("@token", on: everything)
    else {
      Issue.record("no prompts")
      return
    }
    #expect(text.question == "Name" && !text.isSecret)
    #expect(choice.question == "Sort (Name, Size, Date changed)")
    #expect(secret.isSecret)
    let typed = session.answer(text, with: Array(#" "a" "#.utf8), on: everything)
    #expect(typed.input == .text(#" "a" "#))
    #expect(
      session.answer(choice, with: Array("size".utf8), on: everything).input == .choice("size"))
    let answer = session.answer(secret, with: Array("hunter2".utf8), on: everything)
    #expect(answer.activation?.isSecret == true && answer.input == .text("hunter2"))
    let other = screen(owner: "2") { $0.text("elsewhere") }
    #expect(session.answer(text, with: Array("a".utf8), on: other).code == "stale")
  }

  /// The refusal of a line on a screen that has a filter and no secret.
  private func screenGuess(_ line: String) -> String? {
    let screen = screen { $0.field("Filter", id: "f", text: "", action: { .tapped($0) }) }
    var session = ShellSession.showing(screen)
    return session.interpret(line, on: screen).text
  }

  @Test("A label that several controls have is refused with their numbers")
  func duplicateLabels() {
    let screen = screen { screen in
      screen.button("Open", id: "a", action: .tapped("a"))
      screen.button("open", id: "b", action: .tapped("b"))
      screen.list(0..<100) { Row($0 == 99 ? "Open" : "-", id: "r\($0)", action: .tapped("c")) }
    }
    var session = ShellSession.showing(screen)
    let intent = session.interpret("OPEN", on: screen)
    #expect(intent.code == "ambiguous-label")
    #expect(intent.text?.contains("the label of 1, 2, @r99 on another page") == true)
    #expect(session.interpret("@b", on: screen).input == .press)
  }

  @Test(
    "Case is ignored in every script, and so are spaces around a label",
    arguments: [
      ("Save", "sAVE", true), ("\u{212a}elvin", "kelvin", true), ("ÄRGER", "ärger", true),
      (" Save\t", "save", true), ("Save ", "save", true), ("Save", "sav", false),
      ("Sav", "save", false), ("Save all", "save  all", false), ("e\u{301}", "É", true),
      ("", "", true), ("  ", "", true),
    ])
  func folding(label: String, written: String, isEqual: Bool) {
    #expect(FoldedLabel(written).matches(label) == isEqual)
  }

  @Test("An identifier that two controls have is refused with their numbers")
  func duplicateIdentifiers() {
    let screen = screen { screen in
      screen.button("One", id: "same", action: .tapped("a"))
      screen.button("Two", id: "same", action: .tapped("b"))
    }
    var session = ShellSession.showing(screen)
    let refused = session.interpret("@same", on: screen)
    #expect(refused.code == "ambiguous-id")
    #expect(refused.text == "'@same' is the identifier of 1, 2; write the number")
    #expect(session.interpret("1", on: screen).activation?.control == 0)
    #expect(session.interpret("2", on: screen).activation?.control == 1)
    #expect(session.interpret("2", on: screen).control == "Two")
  }

  @Test("A bare number that is also another control's label is refused")
  func numberAsLabel() {
    let screen = screen { screen in
      screen.button("2", id: "two", action: .tapped("two"))
      screen.button("Other", id: "other", action: .tapped("other"))
      screen.field("3", id: "field", text: "", action: { .tapped($0) })
      screen.field("Day", id: "day", text: "", action: { .tapped($0) })
      screen.button("4 days", id: "days", action: .tapped("days"))
    }
    var session = ShellSession.showing(screen)
    #expect(session.interpret("2", on: screen).code == "ambiguous-number")
    #expect(session.interpret("2", on: screen).text?.contains("':press 2'") == true)
    #expect(session.interpret(":press 2", on: screen).control == "Other")
    #expect(session.interpret(#""2""#, on: screen).control == "2")
    #expect(session.interpret("3 x", on: screen).input == .text("x"))
    #expect(session.interpret("3 = x", on: screen).control == "3")
    #expect(session.interpret("4 days", on: screen).code == "ambiguous-number")
    #expect(session.interpret(#"4 "days""#, on: screen).input == .text("days"))
    #expect(session.interpret(#""4 days""#, on: screen).control == "4 days")
  }

  @Test("A printed row counts when a bare number is a label too")
  func numberAsLabelOfRow() {
    let screen = screen { $0.list(0..<100) { Row("\($0)", id: "r\($0)", action: .tapped("x")) } }
    var session = ShellSession.showing(screen)
    #expect(session.interpret("7", on: screen).code == "ambiguous-number")
    #expect(session.interpret(":press 7", on: screen).input == .row(6))
  }

  @Test("A bare number makes no row but its own, however long the list is")
  func numberInLongList() {
    let counter = RowCounter()
    let screen = screen { $0.rows(0..<100_000, counter: counter) }
    var session = ShellSession.showing(screen)
    counter.count = 0
    #expect(session.interpret("7", on: screen).input == .row(6))
    #expect(counter.count == 1)
  }

  @Test("Rows that can't be chosen have no number and no name")
  func plainRows() {
    let screen = screen { screen in
      screen.list(0..<3) { Row("Row \($0)", id: "r\($0)", action: $0 == 1 ? .tapped("1") : nil) }
    }
    var session = ShellSession.showing(screen)
    #expect(session.interpret("1", on: screen).input == .row(1))
    #expect(session.interpret("2", on: screen).code == "no-such-control")
    #expect(session.interpret("Row 0", on: screen).code == "no-such-control")
    #expect(session.interpret("@r2", on: screen).code == "no-such-control")
  }

  @Test("A refused line changes nothing")
  func refusedChangesNothing() {
    var session = ShellSession.showing(everything)
    let before = session.frame(everything)
    for line in ["99", "@x", ":page 99", ":find nothing like it", ":prev", "3 \0", "\"", ":nope"] {
      #expect(session.interpret(line, on: everything).code != nil)
    }
    #expect(session.frame(everything) == before)
    #expect(!session.isInText)
  }
}
