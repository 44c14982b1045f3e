/// What text from outside may do to a terminal besides showing characters.
@_spi(Host) public enum TextHazard {
  /// Whether a scalar moves the cursor, turns the order of text, or is there unseen.
  ///
  /// The two joiners are none by themselves: emoji and some scripts need them.
  public static func isHazard(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0: true
    // Soft hyphen, Arabic letter mark, Mongolian vowel separator.
    case 0xad, 0x61c, 0x180e: true
    // Zero-width space and the marks of direction; line and paragraph separator, embeddings and
    // overrides; word joiner, invisible operators, isolates and what was once like them.
    case 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f: true
    // Letters that show nothing, the byte order mark, annotations, tags.
    case 0x115f, 0x1160, 0x3164, 0xffa0, 0xfeff, 0xfff9...0xfffb, 0xe0000...0xe0fff: true
    default: false
    }
  }
}
