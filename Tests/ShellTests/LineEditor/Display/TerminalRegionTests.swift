import TestSupport
import Testing

@testable import LineEditor

@Suite("Redrawing in place") struct TerminalRegionTests {
  private func screen(_ count: Int, _ mark: String = "") -> [String] {
    (1...count).map { "row \($0)\(mark)" }
  }

  @Test("A screen changes above a line that is typed; the line and the cursor stay")
  func updates() {
    var editor = TypedEditor(columns: 30, rows: 8, above: screen(3))
    editor.type("typed\u{2}\u{2}")
    for number in 1...200 {
      editor.above[1] = "counted \(number)"
      editor.show()
      #expect(editor.terminal.text == "row 1\ncounted \(number)\nrow 3\n> typed")
      #expect(editor.terminal.cursor == (3, 5))
    }
    #expect(editor.terminal.scrollback == [])
    #expect(editor.terminal.isCursorVisible)
    editor.type("!")
    #expect(editor.terminal.line == "> typ!ed")
  }

  @Test("Only what differs is written")
  func economy() {
    var editor = TypedEditor(columns: 80, rows: 24, above: screen(20))
    editor.type("x")
    let before = editor.terminal.written
    editor.type("y")
    #expect(editor.terminal.written - before == 1)
    editor.above[10] = "row 11!"
    let update = editor.terminal.written
    editor.show()
    #expect(editor.terminal.written - update < 30)
    let nothing = editor.terminal.written
    editor.show()
    #expect(editor.terminal.written == nothing)
  }

  @Test("A screen may grow and shrink above the line")
  func growth() {
    var editor = TypedEditor(columns: 30, rows: 8, above: screen(3))
    editor.type("typed")
    editor.above = screen(6)
    editor.show()
    #expect(editor.terminal.text == (screen(6) + ["> typed"]).joined(separator: "\n"))
    editor.above = screen(1)
    editor.show()
    #expect(editor.terminal.text == "row 1\n> typed")
    editor.above = screen(30)
    editor.show()
    #expect(editor.terminal.screen[0] == "row 24")
    #expect(editor.terminal.line == "> typed")
    #expect(editor.terminal.scrollback == [])
    editor.above = screen(2)
    editor.show()
    #expect(editor.terminal.text == "row 1\nrow 2\n> typed")
  }

  @Test("A screen taller than the terminal goes to the scrollback once, however often it changes")
  func tall() {
    var editor = TypedEditor(columns: 30, rows: 6, above: [])
    editor.terminal = TerminalModel(columns: 30, rows: 6)
    editor.region = TerminalRegion(size: editor.size)
    editor.above = screen(20)
    editor.show(grows: true)
    #expect(editor.terminal.scrollback == screen(15))
    #expect(!editor.region.isStaleAbove)
    for number in 0..<50 {
      editor.above = screen(20, " \(number)")
      editor.show()
    }
    #expect(editor.region.isStaleAbove)
    #expect(editor.terminal.scrollback.count == 15)
    #expect(editor.terminal.text == (screen(20, " 49").suffix(5) + [">"]).joined(separator: "\n"))
  }

  @Test("Permanent lines scroll; temporary ones do not")
  func adding() {
    var editor = TypedEditor(columns: 30, rows: 6, above: screen(5))
    editor.above += ["said"]
    editor.show(grows: true)
    #expect(editor.terminal.scrollback == ["row 1"])
    #expect(editor.terminal.screen == Array((screen(5) + ["said", ">"]).suffix(6)))
    editor.editor.message = "a word"
    editor.show()
    #expect(editor.terminal.scrollback == ["row 1"])
    #expect(editor.terminal.screen.last == "a word")
    editor.type("x")
    #expect(editor.terminal.screen == Array((screen(5) + ["said", "> x"]).suffix(6)))
    #expect(editor.terminal.scrollback == ["row 1"])
  }

  @Test("After the terminal got another size everything stands once, wherever it wrapped")
  func resizing() {
    let rows = ["a row of the screen that is wide", "second"]
    var editor = TypedEditor(columns: 40, rows: 10, above: rows)
    editor.type("typed 日本語 line")
    for columns in [33, 20, 11, 25, 60, 40] {
      editor.resize(columns: columns, rows: 10)
      let text = editor.terminal.screen.joined(separator: "\n")
      #expect(text.split(separator: "second").count == 2)
      let view = editor.editor.view(size: editor.size)
      #expect(editor.terminal.cursor.column == view.cursor.column)
      #expect(editor.terminal.unknown == [])
    }
    #expect(editor.terminal.text == (rows + ["> typed 日本語 line"]).joined(separator: "\n"))
  }

  @Test("Rows as wide as the terminal keep their last character")
  func fullRows() {
    var editor = TypedEditor(columns: 10, rows: 5, above: ["0123456789", "abcdefghij"])
    #expect(editor.terminal.text == "0123456789\nabcdefghij\n>")
    editor.above = ["0123456780", "abc"]
    editor.show()
    #expect(editor.terminal.text == "0123456780\nabc\n>")
  }

  @Test("Lines with colours are broken into rows that each have theirs")
  func colours() {
    let rows = TerminalRows.of(["\u{1b}[1mabcdef\u{1b}[0mgh"], columns: 4)
    #expect(rows == ["\u{1b}[1mabcd\u{1b}[0m", "\u{1b}[1mef\u{1b}[0mgh"])
  }
}
