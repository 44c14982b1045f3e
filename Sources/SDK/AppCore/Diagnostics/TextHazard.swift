/// Finds characters in foreign text that affect a terminal beyond showing a glyph.
@_spi(Host) public enum TextHazard {
  /// Whether a scalar moves the cursor, changes the direction of text, or is invisible.
  ///
  /// The joiners U+200C and U+200D are not hazards: emoji and some scripts need them.
  public static func isHazard(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0: true
    // Soft hyphen, Arabic letter mark, Mongolian vowel separator.
    case 0xad, 0x61c, 0x180e: true
    // Zero-width space and directional marks; line and paragraph separators, embeddings and
    // overrides; word joiner, invisible operators, isolates and deprecated format characters.
    case 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f: true
    // Hangul fillers, the byte order mark, interlinear annotations, tags.
    case 0x115f, 0x1160, 0x3164, 0xffa0, 0xfeff, 0xfff9...0xfffb, 0xe0000...0xe0fff: true
    default: false
    }
  }
}
