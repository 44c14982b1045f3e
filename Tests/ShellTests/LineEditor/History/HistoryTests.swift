import TestSupport
import Testing

@testable import LineEditor

@Suite("The history while a line is typed") struct HistoryTests {
  private let lines = ["deploy one", "status", "deploy two", "日本語", "Status all"]

  @Test(
    "↑ and ↓ go through the lines that begin with what was typed, and come back to it",
    arguments: [
      // Nothing was typed: all lines.
      [
        ("\u{1b}[A", "Status all"), ("\u{1b}[A\u{1b}OA", "deploy two"),
        ("\u{e}\u{e}", "Status all"), ("\u{1b}[B", ""), ("\u{1b}[B", nil),
      ],
      [
        ("de\u{10}", "deploy two"), ("\u{10}", "deploy one"), ("\u{10}", nil),
        ("\u{1b}[B\u{1b}[B", "de"), ("\u{10}!\u{10}", "deploy two!"),
      ],
      // Lowercase letters find capitals too, a capital only itself.
      [
        ("sta\u{10}", "Status all"), ("\u{10}", "status"), ("\u{e}", "Status all"),
        ("\u{e}", "sta"), ("\u{15}Sta\u{10}", "Status all"), ("\u{10}", nil),
      ],
    ] as [[(String, String?)]])
  func walk(steps: [(String, String?)]) {
    var editor = TypedEditor(history: lines)
    for (typed, line) in steps {
      let before = editor.text
      editor.type(typed)
      #expect(editor.text == line ?? before, "\(typed.debugDescription)")
      #expect((editor.last == .refused) == (line == nil || typed.hasSuffix("!\u{10}")))
    }
  }

  @Test("Ctrl-R looks for a text in any case, further back each time, and Enter runs the line")
  func search() {
    var editor = TypedEditor(columns: 40, rows: 8, history: lines)
    editor.type("typed\u{12}sta")
    #expect(editor.terminal.text == "search: sta\n  Status all")
    #expect(editor.terminal.text(in: 1, with: "4") == "Sta")
    editor.type("\u{12}")
    #expect(editor.terminal.text == "search: sta\n  status")
    editor.type("\u{12}")
    #expect(editor.terminal.text == "search: sta\n  no earlier line holds it\n  status")
    editor.type("\u{7f}\u{7f}\u{7f}depl")
    #expect(editor.terminal.text == "search: depl\n  deploy two")
    editor.type("\r")
    #expect(editor.last == .submitted("deploy two"))
  }

  @Test("Ctrl-G leaves the search with the line that was typed; an arrow edits what was found")
  func leavingSearch() {
    var editor = TypedEditor(history: lines)
    editor.type("typed\u{12}sta\u{7}")
    #expect(editor.terminal.line == "> typed")
    editor.type("\u{12}two\u{1}x")
    #expect(editor.terminal.line == "> xdeploy two")
    editor.type("\u{15}\u{12}none")
    editor.type("\u{1b}")
    editor.pause()
    #expect(editor.terminal.text.hasPrefix("> "))
  }

  @Test("The newest line that begins with what is typed is suggested in grey; → and Ctrl-E take it")
  func suggestion() {
    var editor = TypedEditor(history: lines)
    editor.type("de")
    #expect(editor.terminal.line == "> deploy two")
    #expect(editor.terminal.text(in: 0, with: "2") == "ploy two")
    #expect(editor.terminal.cursor.column == 4)
    #expect(editor.text == "de")
    editor.type("\u{1b}f")
    #expect(editor.text == "deploy")
    editor.type("\u{1b}[C")
    #expect(editor.text == "deploy two")
    editor.type("\u{15}st\u{5}")
    #expect(editor.text == "status")
    editor.type("\u{15}st\r")
    #expect(editor.last == .submitted("st"))
  }

  @Test("A suggestion never makes the line longer than its row")
  func cutSuggestion() {
    var editor = TypedEditor(
      columns: 12, rows: 4, history: ["echo " + String(repeating: "x", count: 40)])
    editor.type("e")
    #expect(editor.terminal.text == "> echo xxx…")
  }

  @Test("Each line is held once, at its newest place")
  func duplicates() {
    var history = History()
    for line in ["a", "b", "a", "c", "b"] { history.add(line) }
    #expect(history.lines == ["a", "c", "b"])
    #expect(History(["a", "b", "a"].map { Array($0.utf8)[...] }).lines == ["b", "a"])
  }

  @Test("An editor that asks for a value uses no history, and one for a secret shows nothing")
  func questions() {
    var editor = TypedEditor(history: lines)
    editor.editor.begin(.init(prompt: "Name: ", usesHistory: false))
    editor.type("de\u{1b}[A")
    #expect(editor.terminal.line == "Name: de")
    editor.editor.begin(.init(prompt: "Password: ", isSecret: true))
    editor.type("de日\u{7f}ploy\u{12}\t\u{15}hunter2")
    #expect(editor.terminal.line == "Password:")
    #expect(editor.text == "hunter2")
    editor.type("\u{15}\u{19}")
    #expect(editor.text == "")
  }
}
