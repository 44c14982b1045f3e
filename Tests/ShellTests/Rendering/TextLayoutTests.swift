internal import TestSupport
import Testing

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
