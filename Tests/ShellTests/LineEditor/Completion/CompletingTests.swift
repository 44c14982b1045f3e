internal import LineEditor
import TestSupport
import Testing

@testable import Shell
@testable import Support

@Suite("Tab") struct CompletingTests {
  private func list(_ head: String, _ lines: [String], continues: Bool = false) -> CompletionList {
    CompletionList(
      head: head,
      lines.map { Completion($0, detail: "about \($0)", continues: continues) })
  }

  @Test("One completion is put in, with a space where something must follow")
  func single() {
    var editor = TypedEditor()
    editor.type("@fi\t")
    #expect(editor.editor.awaitsCompletions)
    #expect(editor.editor.wantedCompletions == "@fi")
    editor.receive(list("@fi", ["@filter"], continues: true))
    #expect(editor.terminal.line == "> @filter")
    #expect(editor.text == "@filter ")
  }

  @Test("Of several the common beginning is put in first, then they are listed")
  func several() {
    var editor = TypedEditor(columns: 40, rows: 8)
    editor.type(":p\t")
    editor.receive(list(":p", [":page", ":path"]))
    #expect(editor.text == ":pa")
    editor.type("\t")
    #expect(
      editor.terminal.text == "> :pa\n  :page  about :page\n  :path  about :path")
    #expect(editor.terminal.cursor == (0, 5))
    editor.type("\t")
    #expect(editor.terminal.text == "> :page\n› :page  about :page\n  :path  about :path")
    #expect(editor.terminal.text(in: 1, with: "7") == ":page")
    editor.type("\u{1b}[B")
    #expect(editor.text == ":path")
    editor.type("\u{1b}[Z")
    #expect(editor.text == ":page")
    editor.type("\r")
    #expect(editor.terminal.text == "> :page")
    #expect(editor.last == .changed)
    editor.type("\r")
    #expect(editor.last == .submitted(":page"))
  }

  @Test("Esc closes the list and brings back what was typed")
  func leaving() {
    var editor = TypedEditor(columns: 40, rows: 8)
    editor.type("x")
    editor.receive(list("x", ["x1", "x2"]))
    editor.type("\t\t\t\u{1b}")
    editor.pause()
    #expect(editor.text == "x")
    #expect(editor.terminal.text == "> x1")
    #expect(editor.terminal.text(in: 0, with: "2") == "1")
  }

  @Test("A list longer than the terminal says how many more there are")
  func long() {
    var editor = TypedEditor(columns: 30, rows: 6, above: ["one", "two"])
    editor.type("x")
    editor.receive(list("x", (0..<50).map { "x\($0)" }))
    editor.type("\t")
    #expect(editor.terminal.screen.last == "  … 47 more")
    #expect(editor.terminal.line == "> x")
    for _ in 0..<50 { editor.type("\t") }
    #expect(editor.text == "x49")
    #expect(editor.terminal.text.contains("› x49"))
    editor.type("!")
    #expect(editor.terminal.text == "one\ntwo\n> x49!")
    #expect(editor.terminal.scrollback == [])
  }

  @Test("A late answer is ignored")
  func late() {
    var editor = TypedEditor()
    editor.type("ab\tc")
    editor.receive(list("ab", ["abacus"]))
    #expect(editor.text == "abc")
  }

  @Test("Where nothing fits the editor says so, until the next key")
  func nothing() {
    var editor = TypedEditor()
    editor.type("zz\t")
    editor.receive(list("zz", []))
    #expect(editor.terminal.text == "> zz\nnothing completes this")
    editor.type("z")
    #expect(editor.terminal.text == "> zzz")
  }

  @Test("A suggestion comes from completions where the history has none")
  func suggestion() {
    var editor = TypedEditor(history: ["other"])
    editor.type("@f")
    #expect(editor.editor.wantedCompletions == "@f")
    editor.receive(list("@f", ["@filter"]))
    #expect(editor.terminal.line == "> @filter")
    #expect(editor.terminal.text(in: 0, with: "2") == "ilter")
    editor.type("\u{5}")
    #expect(editor.text == "@filter")
  }
}

@Suite("A paste") struct PastingTests {
  @Test("One line is put in the line and not run, with its newline or without")
  func single() {
    var editor = TypedEditor()
    editor.type("a\u{1b}[200~bc\r\u{1b}[201~d")
    #expect(editor.text == "abcd")
  }

  @Test("Several lines are shown and asked about; y runs them")
  func several() {
    var editor = TypedEditor(columns: 60, rows: 10)
    editor.type("first \u{1b}[200~one\ntwo\nthree\u{1b}[201~")
    #expect(
      editor.terminal.text
        == """
        > first
        │ first one
        │ two
        │ three
        Run these 3 lines? y: run  n: drop  j: join into one line
        """)
    editor.type("\r")
    #expect(editor.last == .refused)
    editor.type("y")
    #expect(editor.last == .submittedLines(["first one", "two", "three"]))
  }

  @Test("n drops them and j joins them")
  func others() {
    var editor = TypedEditor(columns: 60, rows: 10)
    editor.type("a\u{1b}[200~b\nc\u{1b}[201~n")
    #expect(editor.terminal.text == "> a")
    editor.type("\u{1b}[200~b\nc\u{1b}[201~j")
    #expect(editor.terminal.text == "> ab c")
    #expect(editor.text == "ab c")
  }

  @Test("A secret of several lines is refused")
  func secret() {
    var editor = TypedEditor(columns: 60, rows: 10)
    editor.editor.begin(.init(prompt: "P: ", isSecret: true))
    editor.type("\u{1b}[200~a\nb\u{1b}[201~")
    #expect(editor.text == "")
    #expect(editor.terminal.text == "P:\nwhat was pasted has 2 lines; a secret has one")
  }
}
