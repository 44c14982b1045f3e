import AppCore
import TestSupport
import Testing

@testable import AppCheck
@testable import Shell
@testable import Support

@Suite struct TextLayoutTests {
  @Test("Text that doesn't fit ends in an ellipsis, before the grapheme that doesn't")
  func truncate() {
    #expect(TextLayout.truncate("hello", to: 5) == "hello")
    #expect(TextLayout.truncate("hello", to: 4) == "hel…")
    #expect(TextLayout.truncate("日本語", to: 5) == "日本…")
    #expect(TextLayout.truncate("日本語", to: 4) == "日…")
    #expect(TextLayout.truncate("👩‍👩‍👧👩‍👩‍👧", to: 3) == "👩‍👩‍👧…")
    #expect(TextLayout.truncate("hello", to: 1) == "…")
    #expect(TextLayout.truncate("hello", to: 0) == "")
  }

  @Test("Lines end at spaces, and at newlines")
  func wrap() {
    #expect(TextLayout.wrap("the quick brown fox", to: 9) == ["the quick", "brown fox"])
    #expect(TextLayout.wrap("a\n\nb", to: 9) == ["a", "", "b"])
    #expect(TextLayout.wrap("", to: 9) == [""])
    #expect(TextLayout.wrap("  in one\n  two", to: 20) == ["  in one", "  two"])
    #expect(TextLayout.wrap("a    b", to: 3) == ["a", "b"])
  }

  @Test("A word that is wider than a line is cut between graphemes")
  func longWords() {
    #expect(TextLayout.wrap("abcdefgh ij", to: 3) == ["abc", "def", "gh", "ij"])
    #expect(TextLayout.wrap("日本語テキスト", to: 5) == ["日本", "語テ", "キス", "ト"])
    #expect(TextLayout.wrap("e\u{301}e\u{301}e\u{301}", to: 2).count == 2)
    #expect(TextLayout.wrap("漢", to: 1) == ["漢"])
  }

  @Test("No line is too wide and nothing but spaces is lost, whatever the text")
  func fuzz() {
    var random = SplitMix64(seed: 3)
    let pieces = ["a", "bc", " ", "  ", "漢", "字", "👩‍👩‍👧", "e\u{301}", "\n", "longword", "🇩🇪", "-"]
    for _ in 0..<3000 {
      var text = ""
      for _ in 0..<Int.random(in: 0..<30, using: &random) {
        text += pieces.randomElement(using: &random) ?? ""
      }
      let width = Int.random(in: 2..<20, using: &random)
      let lines = TextLayout.wrap(text, to: width)
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
      let kept = lines.joined().filter { $0 != " " }
      #expect(kept == text.filter { $0 != " " && $0 != "\n" })
      #expect(DisplayWidth.of(TextLayout.truncate(text, to: width)) <= width)
    }
  }
}

@Suite struct DisplayWidthTests {
  @Test(
    "A grapheme takes the columns that a terminal gives it",
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("ñ", 1), ("ß", 1), ("…", 1), ("–", 1), ("█", 1),
      ("漢", 2), ("あ", 2), ("ア", 2), ("ｱ", 1), ("Ａ", 2), ("。", 2), ("한", 2),
      ("\u{1112}\u{1161}\u{11ab}", 2), ("か\u{3099}", 2), ("😀", 2), ("👩‍👩‍👧", 2), ("👍🏽", 2),
      ("🏽", 2), ("🇩🇪", 2), ("🇩", 1), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("1️⃣", 2), ("❤", 1), ("❤️", 2), ("☺️", 2),
      ("⌚", 2), ("✓", 1), ("●", 1), ("→", 1), ("\u{200b}", 0), ("\u{301}", 0), ("\u{ad}", 1),
      ("\u{feff}", 0), ("ก", 1), ("กำ", 2), ("नि", 2), ("ﷺ", 1), ("𝄞", 1), ("𠀀", 2), ("☰", 2),
      ("\u{e000}", 1), ("⛔", 2), ("™️", 2), ("🧑🏿‍🚀", 2), ("🏳️‍🌈", 2),
    ])
  func width(text: String, columns: Int) {
    #expect(DisplayWidth.of(text) == columns, "\(text)")
  }

  @Test("The width of a text is that of its graphemes together")
  func sum() {
    #expect(DisplayWidth.of("") == 0)
    #expect(DisplayWidth.of("日本語 ok 👍🏽") == 6 + 4 + 2)
    #expect(DisplayWidth.of("🇩🇪🇫🇷🇮") == 5)
  }
}

@Suite("Text can't reach the terminal's controls") struct SafeTextTests {
  static let hostile =
    "a\u{1b}[2Jb\u{9b}31mc\u{7}d\u{202e}e\u{2066}f\u{7f}g\u{2028}h\r\ni\u{85}j\u{8}k\u{0}l"

  @Test("Control characters become pictures or numbers")
  func pictures() {
    #expect(SafeText.line("\u{1b}[31m") == "␛[31m")
    #expect(SafeText.line("\u{9b}\u{202e}\u{7f}\u{0}") == "<U+9B><U+202E>␡␀")
    #expect(SafeText.line("a\tb\nc\r\nd\re") == "a b␊c␊d␊e")
    #expect(SafeText.paragraph("a\r\nb\rc\u{b}") == "a\nb\nc␋")
    #expect(SafeText.preformatted("\ta\nbc\td\n漢\te") == ["        a", "bc      d", "漢      e"])
    #expect(SafeText.line("שלום مرحبا 👩‍👩‍👧 e\u{301}") == "שלום مرحبا 👩‍👩‍👧 e\u{301}")
  }

  @Test("Text of several lines keeps them, and the colors that are allowed")
  func styled() {
    #expect(SafeText.styled("a\n\t┌─é\n") == "a\n\t┌─é\n")
    #expect(SafeText.styled("a\n\u{1b}[1mb\u{1b}[0m\n") == "a\n\u{1b}[1mb\u{1b}[0m\n")
    #expect(SafeText.styled("a\n\u{1b}[2Jb\u{7}\r\n\tc") == "a\n␛[2Jb␇\n\tc")
    #expect(SafeText.text("a\tb\u{202e}\nc") == "a\tb<U+202E>\nc")
    #expect(SafeText.preformatted("a\n\nb") == ["a", "", "b"])
  }

  @Test("Of no combining mark, whatever its script, has a character more than eight")
  func marks() {
    let marks = (0x300...0xe0fff).compactMap(Unicode.Scalar.init).filter {
      [.nonspacingMark, .enclosingMark].contains($0.properties.generalCategory)
    }
    #expect(marks.count > 1900)
    let wrong = marks.filter { mark in
      let text = { "a" + String(repeating: String(Character(mark)), count: $0) }
      return !SafeText.isHazard(mark) && SafeText.line(text(9)) != text(8) + "<1 marks>"
    }
    #expect(wrong.isEmpty)
  }

  @Test(
    "Wherever a feature or a route puts text, nothing comes out that does something",
    arguments: HostileText.all + [hostile])
  func everywhere(text: String) {
    let chrome = Chrome(
      path: [text, text], tabs: [Tab(text, title: text, isSelected: true)], isModal: true,
      notices: [Notice(text, style: .error)], isSettled: false)
    let hostile = screen(text, chrome: chrome) { screen in
      screen.heading(text)
      screen.text(text, style: .warning)
      screen.preformatted(text)
      screen.keyValues([KeyValue(text, text)])
      screen.progress(text, fraction: 0.5)
      screen.button(text, id: text, action: .tapped(""))
      screen.field(text, text: text, placeholder: text, problem: text, action: { .tapped($0) })
      screen.field(text, text: "", placeholder: text, action: { .tapped($0) })
      screen.field(text, text: text, isMultiline: true, action: { .tapped($0) })
      screen.secretField(text, isSet: true, problem: text, action: { .secret($0) })
      screen.toggle(text, isOn: true, action: { .flag($0) })
      screen.choice(
        text, options: [ChoiceOption(text)], selected: text, action: { .tapped($0) })
      screen.list([0], placeholder: text) { _ in Row(text, detail: text, id: text) }
      screen.list([Int](), placeholder: text) { _ in Row(text) }
      screen.table([0], columns: [TableColumn(text)]) { _ in Row(cells: [text, text]) }
      screen.section(text) { $0.text(text) }
    }
    for width in [20, 40, 80, 200] {
      var session = ShellSession(SessionSettings(width: width))
      check(session.frame(hostile))
      for line in [text, "@" + text, ":" + text, ":find zz" + text, "1 " + text, ":tab"] {
        if case .refused(let refusal) = session.interpret(
          Array(line.utf8.filter { $0 != 0 && $0 != 0x0a }), on: hostile)
        {
          check(session.lines(for: refusal, line: 3))
        }
      }
      check(session.lines(for: Rejection(.notFound, text)))
    }
    var json = ShellSession(ShellSession.json)
    check(json.frame(hostile))
    let drawing = GraphDrawing(
      name: text, title: text,
      nodes: [.init(name: text, feature: text, title: text, tabs: [text], background: [text])],
      routes: [
        .init(
          from: text, action: text,
          verbs: [
            .init(word: text, target: text, options: [text]),
            .init(word: text, target: text, targetIsNode: false),
          ])
      ],
      links: [.init(path: text, steps: [.init(word: text, target: text)], needs: text)], start: text
    )
    for width in [20, 40, 80] { check(drawing.lines(width: width)) }
    check(drawing.dot.split(separator: "\n").map(String.init))
    check(drawing.mermaid.split(separator: "\n").map(String.init))
  }

  private func check(_ lines: [String]) {
    for line in lines {
      #expect(!line.unicodeScalars.contains(where: SafeText.isHazard), "\(line.debugDescription)")
    }
  }
}
