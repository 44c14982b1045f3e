internal import TestSupport
import Testing

@testable import LineEditor

@Suite("Editing a line") struct EditingTests {
  @Test(
    "Keys do to the line what they do in Emacs",
    arguments: [
      ("abc\u{1}x", "xabc"), ("abc\u{1}\u{5}x", "abcx"), ("abc\u{2}x", "abxc"),
      ("abc\u{1}\u{6}x", "axbc"), ("abc def\u{17}x", "abc x"), ("abc\u{15}x", "x"),
      ("abc\u{1}\u{b}x", "x"), ("abc\u{2}\u{4}x", "abx"), ("abc\u{8}x", "abx"),
      ("abc\u{7f}\u{7f}x", "ax"), ("one two\u{1b}b\u{1b}bx", "xone two"),
      ("one two\u{1}\u{1b}fx", "onex two"), ("one two\u{1}\u{1b}dx", "x two"),
      ("one two-three\u{1b}\u{7f}x", "one two-x"), ("ab\u{14}x", "bax"),
      ("one two\u{17}\u{19}\u{19}", "one twotwo"),
      ("one two\u{1b}\u{7f}\u{1b}\u{7f}\u{19}", "one two"),
      ("one\u{15}two\u{15}\u{19}\u{1b}y", "one"), ("one two three\u{1f}", "one two"),
      ("one\u{1f}x", "x"), ("one two\u{15}\u{1f}\u{1f}\u{1b}/\u{1b}/", ""),
      ("abc\u{1b}[H1\u{1b}[F2", "1abc2"), ("abc\u{1b}[H\u{1b}[3~", "bc"),
      ("abc\u{1b}[D\u{1b}[Dx", "axbc"), ("one two\u{1b}[1;5Dx", "one xtwo"),
    ])
  func keys(typed: String, line: String) {
    var editor = TypedEditor()
    editor.type(typed)
    #expect(editor.text == line)
    #expect(editor.terminal.line == ("> " + line).trimmedEnd)
    #expect(editor.terminal.unknown == [])
  }

  @Test("A text that is longer than any line can be edited, and takes nothing more")
  func tooLong() {
    let text = String(repeating: "a", count: LineBuffer.limit + 10)
    var editor = LineEditor()
    editor.begin(LineEditor.Question(prompt: ""), text: text)
    #expect(editor.press(KeyPress(.scalar("b"))) == .refused)
    #expect(editor.message?.contains("at most") == true)
    #expect(editor.text == text)
    _ = editor.press(.control("w"))
    #expect(editor.text == "")
    _ = editor.press(.control("y"))
    #expect(editor.text.count == LineBuffer.limit)
    // Undone and redone, and with the whole text again.
    for key in [KeyPress.control("_"), .control("_"), .alt("/")] { _ = editor.press(key) }
    _ = editor.press(.control("y"))
    #expect(editor.text.count <= text.count)
  }

  @Test("Changes of a long text that were long ago are not kept; the last one always is")
  func longUndo() {
    for (length, steps, kept) in [
      (10, 100, 100...100), (1 << 15, 40, 20...32), (1 << 20, 3, 1...1),
    ] {
      var stack = UndoStack()
      for index in 0..<steps {
        stack.willChange(LineBuffer(String(repeating: "a", count: length) + "\(index)"))
      }
      var buffer = LineBuffer()
      var count = 0
      while let former = stack.undo(buffer) {
        buffer = former
        count += 1
      }
      #expect(kept.contains(count), "\(length): \(count)")
    }
  }

  @Test("Backspace takes a whole grapheme, however many scalars joined in it")
  func graphemes() {
    for grapheme in ["👩‍👩‍👧", "🇩🇪", "e\u{301}", "👍🏽", "한", "क्षि"] {
      var editor = TypedEditor()
      editor.type("a" + grapheme + "\u{7f}")
      #expect(editor.text == "a")
      editor.type("\u{1}" + grapheme + "\u{2}\u{4}")
      #expect(editor.text == "a")
    }
  }

  @Test("The cursor goes by what is seen: wide letters, joined emoji, marks")
  func cursor() {
    var editor = TypedEditor()
    editor.type("日本👩‍👩‍👧e\u{301}x")
    #expect(editor.terminal.line == "> 日本👩‍👩‍👧e\u{301}x")
    #expect(editor.terminal.cursor.column == 2 + 4 + 2 + 1 + 1)
    var columns: [Int] = []
    for _ in 0..<5 {
      editor.type("\u{2}")
      columns.append(editor.terminal.cursor.column)
    }
    #expect(columns == [9, 8, 6, 4, 2])
    editor.type("\u{6}!")
    #expect(editor.terminal.line == "> 日!本👩‍👩‍👧e\u{301}x")
  }

  @Test("Regional indicators that come to stand together pair up anew")
  func flags() {
    var buffer = LineBuffer("🇪🇫🇷")
    #expect(buffer.characters.count == 2)
    buffer.move(to: 0)
    buffer.insert("🇩")
    #expect(buffer.text == "🇩🇪🇫🇷")
    #expect(buffer.characters.count == 2)
    #expect(buffer.cursor == 1)
  }

  @Test("A CR and an LF that come together are one character")
  func lineEnds() {
    var buffer = LineBuffer("a\r")
    buffer.insert("\n")
    #expect(buffer.characters.count == 2 && buffer.cursor == 2)
    buffer = LineBuffer("a\rb\n")
    buffer.remove(2..<3)
    #expect(buffer.characters.count == 2 && buffer.text == "a\r\n")
    buffer = LineBuffer("a")
    buffer.insert("\r")
    buffer.insert("\n")
    #expect(buffer.characters.count == 2 && buffer.cursor == 2)
  }

  @Test(
    "What is typed before a grapheme with which it joins for a moment stays together",
    arguments: [
      ("👍", "👩‍👧", "👩‍👧👍"), ("👍", "👩‍👩‍👧x", "👩‍👩‍👧x👍"), ("🇫🇷", "🇩🇪", "🇩🇪🇫🇷"), ("👍", "👩‍\u{7f}x", "x👍"),
      ("👍", "👩‍\u{7f}\u{7f}x", "x👍"), ("👍", "👩‍\u{1b}[Dx", "x👩‍👍"),
    ])
  func joining(line: String, typed: String, result: String) {
    var editor = TypedEditor()
    editor.type(line + "\u{1}" + typed)
    #expect(editor.text == result)
    #expect(editor.terminal.line == "> " + result)
  }

  @Test("A line longer than the screen wraps, a wide letter whole, and the cursor follows")
  func wrapping() {
    var editor = TypedEditor(columns: 10, rows: 6)
    editor.type("abcdefgh")
    #expect(editor.terminal.cursor == (1, 0))
    editor.type("日本日本日")
    #expect(editor.terminal.text == "> abcdefgh\n日本日本日")
    #expect(editor.terminal.cursor == (2, 0))
    editor.type("\u{1}x")
    #expect(editor.terminal.text == "> xabcdefg\nh日本日本\n日")
    #expect(editor.terminal.cursor == (0, 3))
    editor.type("\u{15}")
    #expect(editor.terminal.text == "> abcdefgh\n日本日本日")
    editor.type("\u{b}")
    #expect(editor.terminal.text == ">")
  }

  @Test("A line longer than the terminal is high shows the part around the cursor")
  func taller() {
    var editor = TypedEditor(columns: 10, rows: 4)
    editor.type((0..<10).map { String(repeating: "\($0)", count: 10) }.joined())
    #expect(editor.terminal.line == "99")
    editor.type("\u{1}")
    #expect(editor.terminal.screen[0] == "> 00000000")
    #expect(editor.terminal.cursor == (0, 2))
    editor.type("\u{5}!")
    #expect(editor.terminal.line == "99!")
    #expect(editor.terminal.unknown == [])
  }

  @Test("An unprintable character has a picture, and a combining mark alone gets a base")
  func hazards() {
    var editor = TypedEditor()
    editor.type("\u{1b}[200~a\tb\u{202e}c\u{1b}[201~")
    #expect(editor.terminal.line == "> a␉b<U+202E>c")
    editor.type("\u{15}\u{301}")
    #expect(editor.terminal.line == "> \u{25cc}\u{301}")
    #expect(editor.text == "\u{301}")
  }

  @Test("Whatever is typed, the screen shows the line and the cursor is in it")
  func fuzz() {
    var random = SplitMix64(seed: 4)
    let keys = [
      "a", "b ", "日", "👩‍👩‍👧", "e\u{301}", "\u{1}", "\u{5}", "\u{2}", "\u{6}", "\u{b}", "\u{15}",
      "\u{17}", "\u{19}", "\u{1b}y", "\u{1b}b", "\u{1b}f", "\u{1b}d", "\u{1b}\u{7f}", "\u{1f}",
      "\u{1b}/", "\u{7f}", "\u{4}", "\u{14}", "\u{1b}[A", "\u{1b}[B", "\u{12}", "\u{7}", "\t",
      "one two three four five ", "\u{1b}[200~pasted\u{1b}[201~",
    ]
    for _ in 0..<30 {
      var editor = TypedEditor(
        columns: Int.random(in: 6...30, using: &random),
        rows: Int.random(in: 3...9, using: &random), history: ["one", "two words", "日本語 one"],
        above: ["above"])
      for _ in 0..<120 {
        editor.type(keys.randomElement(using: &random) ?? "")
        if Int.random(in: 0..<30, using: &random) == 0 {
          editor.resize(
            columns: Int.random(in: 6...30, using: &random),
            rows: Int.random(in: 3...9, using: &random))
        }
        let view = editor.editor.view(size: editor.size)
        let expected = (["above"] + view.rows).map(\.withoutSequences)
        let row = 1 + view.cursor.row
        let start = min(max(expected.count - editor.size.rows, 0), row)
        let shown = Array(expected[start...].prefix(editor.size.rows))
        let top = editor.terminal.cursor.row - (row - start)
        guard top >= 0 else { Issue.record("the cursor is above the line"); return }
        let seen = Array(editor.terminal.screen[top...].prefix(shown.count))
        #expect(seen == shown.map(\.trimmedEnd))
        #expect(editor.terminal.cursor.column == view.cursor.column)
        if editor.terminal.unknown != [] { return }
      }
      #expect(editor.terminal.unknown == [])
    }
  }
}

extension String {
  var trimmedEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The text without colours.
  var withoutSequences: String { replacing(/\u{1b}\[[0-9;]*m/, with: "") }
}
