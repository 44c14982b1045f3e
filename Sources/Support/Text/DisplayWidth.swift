/// The number of columns that text occupies on a terminal, by grapheme.
///
/// `wcwidth` goes by scalar and is wrong for joined emoji, flags and keycaps. The rule here, for
/// one grapheme:
/// 1. an emoji with the variation selector (U+FE0F) or a joiner, or two regional indicators: 2.
/// 2. else the widths of its scalars added up, at most 2: marks that take no space, format
///    characters and the medial and final letters of Hangul count 0, wide ones 2, all others 1.
///
/// Wide scalars are emoji that are pictures by default, as the standard library says, and those in
/// ``wideBlocks``: the blocks with `W` or `F` in Unicode 16's `EastAsianWidth.txt`, together with
/// unassigned gaps between them. Ambiguous characters are narrow.
public enum DisplayWidth {
  /// The columns that `text` takes.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The columns that one grapheme takes: 0, 1 or 2.
  public static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.index(after: scalars.startIndex) == scalars.endIndex { return of(first) }
    var width = 0
    var indicators = 0
    for scalar in scalars {
      switch scalar.value {
      case 0xfe0f, 0x200d: if first.properties.isEmoji { return 2 }
      case 0x1f1e6...0x1f1ff: indicators += 1
      default: break
      }
      width += of(scalar)
    }
    return indicators == 2 ? 2 : min(width, 2)
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return (0x20..<0x7f).contains(value) || value >= 0xa0 ? 1 : 0 }
    // Box drawing and block elements, with which screens are drawn.
    if (0x2500...0x259f).contains(value) { return 1 }
    // Medial vowels and final consonants of Hangul, which are drawn in the square of the first letter.
    if (0x1160...0x11ff).contains(value) || (0xd7b0...0xd7ff).contains(value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator,
      .paragraphSeparator:
      return 0
    default: break
    }
    // Skin tones, which are pictures if they are alone.
    if (0x1f3fb...0x1f3ff).contains(value) { return 2 }
    return scalar.properties.isEmojiPresentation && !(0x1f1e6...0x1f1ff).contains(value)
      || isWide(value) ? 2 : 1
  }

  private static func isWide(_ value: UInt32) -> Bool {
    let index = wideBlocks.partitioningIndex { $0.upperBound >= value }
    return index < wideBlocks.count && wideBlocks[index].contains(value)
  }

  /// Sorted, without overlap.
  private static let wideBlocks: [ClosedRange<UInt32>] = [
    0x1100...0x115f,  // Hangul initial letters
    0x2329...0x232a,  // angle brackets
    0x2630...0x2637, 0x268a...0x268f,  // trigrams
    0x2e80...0x303e,  // radicals, CJK punctuation
    0x3041...0x4dbf, 0x4dc0...0xa4cf,  // kana to Yi, hexagrams among them
    0xa960...0xa97c,  // Hangul, extended
    0xac00...0xd7a3,  // Hangul syllables
    0xf900...0xfaff,  // compatibility ideographs
    0xfe10...0xfe19, 0xfe30...0xfe6b,  // vertical and small forms
    0xff01...0xff60, 0xffe0...0xffe6,  // full-width forms
    0x16fe0...0x1b2ff,  // Tangut, Khitan, kana supplements, Nushu
    0x1d300...0x1d356, 0x1d360...0x1d376,  // Tai Xuan Jing, counting rods
    0x1f200...0x1f202, 0x1f210...0x1f23b, 0x1f240...0x1f248, 0x1f250...0x1f251,
    0x1f260...0x1f265,  // enclosed ideographs
    0x20000...0x2fffd, 0x30000...0x3fffd,  // supplementary ideographs
  ]
}
