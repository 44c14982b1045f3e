@_spi(Host) import AppCore
import Testing

@testable import Shell
@testable import Support

@Suite("Rows that are selected") struct SelectionTests {
  private func interpret(_ line: String, on screen: ShellScreen) -> Intent {
    var session = ShellSession.showing(screen)
    return session.interpret(line, on: screen)
  }

  @Test(
    "A row is selected by its identifier, and the line that is logged does the same",
    arguments: [
      ("@files add b", 1, true, "@files add b"),
      ("@files  add \t b ", 1, true, "@files add b"),
      ("@files = add b", 1, true, "@files add b"),
      (#"@"files" add "b""#, 1, true, "@files add b"),
      ("@files remove a", 0, false, "@files remove a"),
      // What is so already stays so.
      ("@files add a", 0, true, "@files add a"),
      ("@files remove b", 1, false, "@files remove b"),
      ("@files add two words", 2, true, #"@files add "two words""#),
    ] as [(String, Int, Bool, String)])
  func rows(line: String, row: Int, isSelected: Bool, logged: String) throws {
    let screen = Samples.files(selection: ["a"])
    let activation = try #require(interpret(line, on: screen).activation)
    #expect(activation.input == .select(row: row, isSelected))
    #expect(screen.scriptLine(for: activation) == logged)
    #expect(interpret(logged, on: screen).input == activation.input)
  }

  @Test(
    "What can't be selected is refused",
    arguments: [
      (
        "@files", "value-missing",
        "'@files' selects rows of a list: write '@files add ROW' or '@files remove ROW'"
      ),
      (
        "@files b", "wrong-type",
        "'@files' takes what to do with which row: write '@files add ROW' or '@files remove ROW'"
      ),
      (
        "@files add", "wrong-type",
        "'@files' takes what to do with which row: write '@files add ROW' or '@files remove ROW'"
      ),
      (
        "@files add two wrds", "no-such-control",
        "no row of '@files' has the identifier 'two wrds'; did you mean 'two words'?"
      ),
      (
        "@files add \u{202e}\u{1b}[2J", "no-such-control",
        "no row of '@files' has the identifier '\(SafeText.line("\u{202e}\u{1b}[2J"))'"
      ),
      (
        "@fles add b", "no-such-control",
        "no control has the identifier '@fles'; did you mean '@files'?"
      ),
    ])
  func refusals(line: String, code: String, message: String) {
    let intent = interpret(line, on: Samples.files())
    #expect(intent.code == code)
    #expect(intent.text == message)
  }

  @Test("A JSON line gives it a text, and nothing else")
  func json() {
    func input(_ value: String) -> Intent {
      let screen = Samples.files()
      var session = ShellSession.showing(screen, ShellSession.json)
      return session.interpret(#"{"id":"files","value":\#(value)}"#, on: screen)
    }
    #expect(input(#""add a""#).input == .select(row: 0, true))
    #expect(input("3").code == "wrong-type")
    #expect(input("true").code == "wrong-type")
  }

  @Test(
    "Hostile identifiers are those of rows like others",
    arguments: [
      "@x y", "add a", "\u{1b}[2J", "a\u{202e}b", "  ", "", "\"q\"", ":back", "日本\n", "1",
      "<<END", "# x", String(repeating: "long ", count: 2000),
    ])
  func hostile(id: String) throws {
    let screen = Samples.files(id: id.isEmpty ? "x" : id, ids: [id])
    let list = try #require(ControlIndex(screen).lists.first)
    let activation = try #require(list.selecting(0, true))
    let line = try #require(screen.scriptLine(for: activation))
    #expect(!line.contains("\n"))
    #expect(interpret(line, on: screen).input == .select(row: 0, true))
    for style in [Style.plain, .linear] {
      var session = ShellSession(SessionSettings(format: .text(style)))
      for line in session.frame(screen) {
        #expect(!line.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" })
      }
    }
  }

  @Test("A control with the list's identifier is meant by it, and a list before its rows")
  func sharedIdentifiers() {
    let screen = screen { screen in
      screen.list(
        ["x", "files"], id: "files", selection: [], selectionAction: { _ in .tapped("") }
      ) { Row($0, id: $0, action: .tapped($0)) }
      screen.field("Name", id: "name", text: "") { .tapped($0) }
      screen.list(
        ["x"], id: "name", selection: [], selectionAction: { _ in .tapped("") }
      ) { Row($0, id: $0) }
    }
    #expect(interpret("@name add x", on: screen).input == .text("add x"))
    #expect(interpret("@files add x", on: screen).input == .select(row: 0, true))
    // The row is named by its label.
    let row = interpret("2", on: screen).activation
    #expect(row.flatMap(screen.scriptLine) == #""files""#)
    // No line selects a row of the second list.
    let list = ControlIndex(screen).lists[1]
    #expect(list.selecting(0, true).flatMap(screen.scriptLine) == nil)
  }

  @Test("The outline of a row has no data: not its identifier, and of its list only the name")
  func outlines() {
    let files = Samples.files()
    #expect(interpret("@a", on: files).activation?.outline == "a row")
    #expect(interpret("4", on: files).activation?.outline == "a row")
    #expect(interpret("@files add b", on: files).activation?.outline == "@files")
    let products = Samples.products()
    #expect(interpret("@swift-nio", on: products).activation?.outline == "a row")
    #expect(interpret(":sort Uses", on: products).activation?.outline == "@products")
    #expect(interpret("@filter = x", on: products).activation?.outline == "@filter")
  }

  @Test("A child's rows are selected by the child's own identifiers")
  func child() throws {
    let parent = Screen<ParentAction>("Parent") { screen in
      screen.embed(
        Samples.filesScreen(selection: ["a"]).titled("", id: "left"), /ParentAction.child)
    }
    let screen = ShellScreen(parent.content, owner: "1")
    let activation = try #require(interpret("@left.files add left.b", on: screen).activation)
    #expect(activation.input == .select(row: 1, true))
    #expect(screen.scriptLine(for: activation) == "@left.files add left.b")
  }

  @Test("What is selected is in the rows of every form")
  func forms() {
    let screen = Samples.files(selection: ["b", "gone"])
    var session = ShellSession()
    let lines = session.frame(screen)
    #expect(lines.contains("[1] [ ] a"))
    #expect(lines.contains("[2] [x] b"))
    #expect(lines.contains("[4]     no identifier"))
    #expect(lines.contains("        2 selected · @files add ROW @files remove ROW"))
    session.settings.format = .text(.linear)
    let linear = session.frame(screen)
    #expect(linear.contains("List, 4 rows, 2 selected:"))
    #expect(linear.contains("[2] selected: b"))
    session.settings.format = .json
    let json = session.frame(screen).joined()
    #expect(json.contains(#""selected":2,"rows":"#))
    #expect(json.contains(#""cells":["b"],"selected":true}"#))
    #expect(json.contains(#""cells":["no identifier"]}"#))
    let others = session.frame(Samples.everything).joined()
    #expect(!others.contains(#""selected":2"#))
    #expect(!others.contains(#""2.65.0","1204"],"selected""#))
  }

  @Test("Tab completes the list, what to do, and with which row")
  func completion() {
    let screen = Samples.files(selection: ["b"])
    let session = ShellSession.showing(screen)
    func lines(_ head: String) -> [String] {
      session.completions(of: head, on: screen).completions.map(\.line)
    }
    #expect(lines("@fi") == ["@files"])
    #expect(lines("@files ") == ["@files add", "@files remove"])
    #expect(lines("@files add ") == ["@files add a", #"@files add "two words""#])
    #expect(lines("@files remove ") == ["@files remove b"])
  }
}

/// The action of a screen with a child.
private enum ParentAction: FeatureAction {
  case child(SampleAction)
}
