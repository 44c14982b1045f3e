/// 60 texts that do more to a terminal than print visible characters, and a check for such text.
package enum HostileText {
  package static let all: [String] = sequences + controls + directions + unseen + marks

  /// Escape sequences: cursor, screen, title, clipboard, links, replies, modes, character sets.
  private static let sequences = [
    "\u{1b}[2J", "\u{1b}[H", "\u{1b}[10A", "\u{1b}[1;1H", "\u{1b}]0;title\u{7}",
    "\u{1b}]52;c;Y3VybA==\u{7}", "\u{1b}]8;;http://x\u{1b}\\y\u{1b}]8;;\u{1b}\\", "\u{1b}[6n",
    "\u{1b}[c", "\u{1b}c", "\u{1b}[?1049h", "\u{1b}[?25l", "\u{1b}(0", "\u{1b}P$q\"p\u{1b}\\",
    "\u{1b}_x\u{1b}\\", "\u{1b}[8m", "\u{1b}[31", "\u{1b}", "\u{9b}2J", "\u{90}x\u{9c}",
  ]
  private static let controls = [
    "\u{0}", "\u{7}", "\u{8}\u{8}\u{8}", "\u{b}\u{c}", "\u{e}\u{f}", "\u{7f}", "\u{85}",
    "\r> ", "a\n> ", "a\r\n> ", "\t\t", "\u{80}\u{9f}",
  ]
  private static let directions = [
    "\u{202a}a", "\u{202b}a", "\u{202c}a", "\u{202d}a", "\u{202e}gnp.exe", "\u{2066}a",
    "\u{2067}a", "\u{2068}a\u{2069}", "\u{200e}a", "\u{200f}a", "\u{61c}a",
    "\u{2028}> ", "\u{2029}> ",
  ]
  private static let unseen = [
    "a\u{200b}b", "a\u{200c}b", "a\u{200d}b", "a\u{2060}b", "a\u{feff}b", "a\u{ad}b",
    "a\u{180e}b", "a\u{3164}b", "a\u{ffa0}b", "a\u{2061}b", "a\u{fff9}b", "a\u{e0041}b",
  ]
  private static let marks = [
    "a" + String(repeating: "\u{301}", count: 10_000),
    String(
      repeating: "e\u{300}\u{20dd}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}", count: 3),
    String(repeating: "\u{489}", count: 100),
  ]

  /// The first harmful part of a printed text, in words; `nil` if the text is harmless.
  ///
  /// If `isColoured` is `true`, colour sequences count as harmless.
  package static func harm(of text: String, isColoured: Bool = false) -> String? {
    // Matched by scalars: a mark after a sequence would combine with its last character.
    let colours = /\u{1b}\[[0-9;]*m/.matchingSemantics(.unicodeScalar)
    let plain = isColoured ? text.replacing(colours, with: "") : text
    var marks = 0
    for scalar in plain.unicodeScalars where scalar != "\n" {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        return "U+\(String(scalar.value, radix: 16))"
      case .format where scalar.value != 0x200d && scalar.value != 0x200c:
        return "U+\(String(scalar.value, radix: 16))"
      case .nonspacingMark, .enclosingMark: marks += 1
      default: marks = 0
      }
      if marks > 8 { return "\(marks) marks" }
      if [0x3164, 0xffa0, 0x115f, 0x1160].contains(scalar.value) {
        return "U+\(String(scalar.value, radix: 16))"
      }
    }
    return plain.contains(/[ -~]\u{200c}|[ -~]\u{200d}/) ? "a joiner" : nil
  }
}
