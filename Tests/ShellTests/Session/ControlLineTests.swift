@_spi(Host) import AppCore
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

  @Test("Numbers run from 1 through what is printed, rows included, and disabled ones keep theirs")
  func numbers() {
    #expect(intent("10").control == "Refresh")
    #expect(intent("11").code == "disabled")
    #expect(intent("12").control == "swift-nio")
    #expect(intent("15").input == .row(0))
    #expect(intent("34").input == .row(19))
    #expect(intent("35").text == "there is no control 35; they run from 1 to 34")
    #expect(intent("0").code == "no-such-control")
  }

  @Test("A toggle flips without a value and is set with one")
  func toggle() {
    #expect(intent("7").input == .toggle(false))
    #expect(intent("8").input == .toggle(true))
    for word in ["on", "ON", "true", "yes"] { #expect(intent("7 \(word)").input == .toggle(true)) }
    for word in ["off", "false", "No"] { #expect(intent("7 \(word)").input == .toggle(false)) }
    #expect(intent("7 1").code == "not-on-or-off")
  }

  @Test("A choice takes a label or an id, never an index")
  func choice() {
    #expect(intent("9 date").input == .choice("date"))
    #expect(intent("9 DATE CHANGED").input == .choice("date"))
    #expect(intent("9 2").code == "no-such-option")
    #expect(intent("9 Siez").text?.contains("did you mean 'Size'?") == true)
    #expect(intent("9").code == "value-missing")
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

  @Test("Buttons and rows refuse a value")
  func buttons() {
    #expect(intent("10 now").code == "value-unexpected")
    #expect(intent("15 now").code == "value-unexpected")
    #expect(intent("Refresh = now").code == "value-unexpected")
  }

  @Test("Text and number fields take their value, and in a pipe refuse none")
  func fields() {
    #expect(intent("1 nio").input == .text("nio"))
    #expect(intent(#"1 """#).input == .text(""))
    #expect(intent("1").code == "value-missing")
    #expect(intent("6 -0.5").input == .number(-0.5))
    #expect(intent("6 1e3").input == .number(1000))
    #expect(intent("6").code == "value-missing")
    for word in ["x", "0x10", "inf", "nan", "1e999", "1,5", "٣", #""""#] {
      #expect(intent("6 \(word)").code == "not-a-number")
    }
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

  @Test("A newline is for fields of several lines only")
  func newlines() {
    #expect(intent(#"3 "a\nb""#).input == .text("a\nb"))
    for escape in [#"\n"#, #"\r"#, #"\u2028"#, #"\u0085"#, #"\u000b"#] {
      #expect(intent("1 \"a\(escape)b\"").code == "newline-in-value")
      #expect(intent("4 \"a\(escape)b\"").code == "newline-in-value")
    }
  }

  @Test("An identifier finds its control anywhere, rows on other pages too")
  func identifiers() {
    #expect(intent("@name x").input == .text("x"))
    #expect(intent("@file-400").input == .row(400))
    #expect(intent("@swift-syntax").input == .row(1))
    #expect(intent("@nmae").text == "no control has the identifier '@nmae'; did you mean '@name'?")
    #expect(intent("@NAME x").code == "no-such-control")
  }

  @Test("A label is matched whole, ignoring case, rows on other pages too")
  func labels() {
    #expect(intent("refresh").control == "Refresh")
    #expect(intent("FILE-430.swift").input == .row(430))
    #expect(intent("name = x").input == .text("x"))
    #expect(intent(#""Name" = x"#).input == .text("x"))
    #expect(intent("Refres").code == "no-such-control")
    #expect(intent("Refres").text?.contains("did you mean 'Refresh'?") == true)
    #expect(intent("Delete").code == "disabled")
    #expect(screenGuess("Filter =")?.contains("did you mean 'Filter'?") == true)
    #expect(screenGuess("Filter some text")?.contains("did you mean 'Filter'?") == true)
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
