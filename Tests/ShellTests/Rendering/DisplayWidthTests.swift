import Testing

@testable import Support

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
