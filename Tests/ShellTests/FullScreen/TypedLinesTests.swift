import AppCore
import Testing

@testable import FullScreen
@testable import LineEditor
@testable import Shell
@testable import Support

@Suite("Texts of several lines full screen")
struct TypedLinesTests {
  private func notes(_ text: String, columns: Int = 80, rows: Int = 24) -> Drawn {
    Drawn(
      screen { screen in
        screen.text("Not saved yet")
        screen.field("Notes", id: "notes", text: text, isMultiline: true) { .tapped($0) }
        screen.button("Below", action: .tapped(""))
      }, columns: columns, rows: rows)
  }

  @Test("Several lines: Enter begins a line, Tab and Escape send, arrows move between lines")
  func multiline() {
    func form(_ text: String) -> ShellScreen {
      screen {
        $0.field("Notes", id: "notes", text: text, isMultiline: true) { .tapped($0) }
        $0.button("Below", action: .tapped(""))
      }
    }
    var drawn = Drawn(form("one\ntwo"))
    drawn.type(.enter, .enter)
    drawn.type("three")
    drawn.type(.up, .home)
    drawn.type("x")
    #expect(drawn.type(.tab) == [#"@notes = "one\nxtwo\nthree""#])
    #expect(drawn.focused == "[ Below ]")
    drawn.type(.up, .enter, .paste("a\nb"))
    #expect(drawn.type(.escape) == [#"@notes = "one\ntwoa\nb""#])
  }

  @Test("A line can be begun after a CR, and the characters between a CR and an LF removed")
  func lineEnds() {
    var drawn = notes("abc\r")
    drawn.type(.enter, .enter)
    drawn.type("x")
    #expect(drawn.view.place.editor?.text == "abc\r\nx")
    #expect(drawn.lines.contains { $0.contains("abc") })
    drawn = notes("abc\r.\nx")
    drawn.type(.enter, .up, .end, .backspace, .end)
    drawn.type("y")
    #expect(drawn.view.place.editor?.text == "abc\r\nxy")
    #expect(drawn.lines.contains { $0.contains("abc") })
  }

  @Test("The arrows move by the rows that are seen, and keep the column")
  func rows() {
    var drawn = notes("a word after another that wraps\nx\nthe third line", columns: 30)
    drawn.type(.enter, .up, .up)
    // Of the three rows above the last one the shortest does not change the column.
    drawn.type("!")
    drawn.type(.up)
    drawn.type("?")
    drawn.type(.down, .down, .down, .down, .home)
    drawn.type("-")
    #expect(
      drawn.type(.escape) == [
        #"@notes = "a word afte?r another that wraps!\nx\n-the third line""#
      ])
    // A row that is broken ends before its space, where the next one does not begin yet.
    drawn = notes("a word after another that wraps", columns: 30)
    drawn.type(.enter)
    let last = drawn.view.picture().cursor
    drawn.type(.up, .right, .right, .right, .right, .right, .right, .right, .right, .right, .right)
    let first = drawn.view.picture().cursor
    #expect(first?.row == last.map { $0.row - 1 })
    drawn.type(.right)
    #expect(drawn.view.picture().cursor?.row == last?.row)
  }

  @Test("A text looks the same before it is edited, but for the cursor")
  func same() {
    let texts = [
      "one\ntwo", "a word after another that wraps, and does so twice at least",
      "日本語のテキスト日本語のテキスト",
      "  indented\n\n\nbelow", "x\ty\u{1b}[2J\u{202e}z", "e\u{301}\u{301}\u{301} \u{301}",
      String(repeating: "long", count: 20), "trailing    \n   ", "a\r\nb\u{2028}c",
      String(repeating: "word ", count: 11),
    ]
    for text in texts {
      var drawn = notes(text, columns: 30, rows: 40)
      let before = drawn.lines.dropLast()
      drawn.type(.enter)
      #expect(drawn.lines.dropLast() == before, "\(text.debugDescription)")
      for line in before { #expect(DisplayWidth.of(line) <= 30) }
    }
  }

  @Test("The keys of a line work on one of several")
  func lines() {
    var drawn = notes("one\ntwo\nthree")
    drawn.type(.enter, .up)
    _ = drawn.press(.control("a"))
    drawn.type("x")
    for key in ["k", "k", "e"] as [Unicode.Scalar] { _ = drawn.press(.control(key)) }
    drawn.type("!")
    for key in ["u", "y"] as [Unicode.Scalar] { _ = drawn.press(.control(key)) }
    _ = drawn.press(KeyPress(.home, .control))
    drawn.type("0")
    _ = drawn.press(KeyPress(.end, .control))
    drawn.type(".")
    #expect(drawn.type(.escape) == [#"@notes = "0one\nxthree!.""#])
  }

  @Test("The screen follows the cursor in a text that is longer than it")
  func following() throws {
    let text = (0..<40).map { "line \($0)" }.joined(separator: "\n")
    for (columns, rows) in [(80, 24), (40, 10), (20, 5)] {
      var drawn = notes(text, columns: columns, rows: rows)
      #expect(drawn.lines.contains { $0.contains("line 0") })
      drawn.type(.enter)
      #expect(drawn.lines.contains { $0.contains("line 39") })
      var seen: Set<Int> = []
      for _ in 0..<20 {
        drawn.type(.pageUp)
        seen.insert(try #require(drawn.view.picture().cursor).row)
      }
      #expect(drawn.lines.contains { $0.contains("line 0") } && seen.allSatisfy { $0 < rows - 1 })
      #expect(drawn.lines.contains { $0.contains("Notes:") })
      drawn.type(.pageDown)
      let moved = try #require(drawn.view.picture().cursor)
      #expect(drawn.lines[moved.row].contains("line "))
      for _ in 0..<60 {
        drawn.type(.down)
        let cursor = try #require(drawn.view.picture().cursor)
        #expect(drawn.lines[cursor.row].contains("line "))
      }
      #expect(drawn.lines.contains { $0.contains("line 39") })
    }
  }

  @Test("Of a text of very many lines, the first ones are shown until it is edited")
  func longTexts() {
    var drawn = notes((0..<5000).map { "\($0)" }.joined(separator: "\n"))
    drawn.type(.end)
    #expect(drawn.lines.contains { $0.contains("… 4801 more lines") })
    drawn.type(.home, .enter)
    #expect(drawn.lines.contains { $0.contains("│ 4999") })
  }
}
