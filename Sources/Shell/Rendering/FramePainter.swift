/// Brings a terminal from one frame to the next by writing only the lines that differ.
///
/// A frame is a value: the lines of a screen as ``ShellSession/frame(_:)`` gives them.
public enum FramePainter {
  /// What to write so that `new` stands where `old` stands.
  ///
  /// The cursor must be at the beginning of the line below the old frame, or `below` lines further
  /// down; it ends at the beginning of the line below the new one, with nothing under it.
  ///
  /// - Parameters:
  ///   - old: the frame that is on the terminal.
  ///   - new: the frame that is to be there.
  ///   - rows: how many lines the terminal has.
  ///   - columns: how many columns it has.
  ///   - below: how many lines there are between the old frame and the cursor, such as a line that
  ///     was typed.
  /// - Returns: `nil` where the frame must be printed anew: a line that differs has left the
  ///   terminal at the top, or a line takes more than one row.
  /// - Complexity: linear in both frames.
  public static func update(
    from old: [String], to new: [String], rows: Int, columns: Int, below: Int = 0
  ) -> String? {
    guard (old + new).allSatisfy({ width(of: $0) < columns }) else { return nil }
    let common = zip(old, new).prefix { $0 == $1 }.count
    let distance = old.count + below - common
    guard distance < rows else { return nil }
    var text = distance > 0 ? "\r\u{1b}[\(distance)A" : "\r"
    for index in common..<new.count {
      if index >= old.count || old[index] != new[index] {
        text += index < old.count ? "\u{1b}[2K" + new[index] : "\u{1b}[K" + new[index]
        text += "\r"
      }
      text += "\n"
    }
    return text + "\u{1b}[J"
  }

  /// The columns that a line takes, its escape sequences left out.
  private static func width(of line: String) -> Int {
    guard line.utf8.contains(0x1b) else { return DisplayWidth.of(line) }
    var plain = ""
    var isEscape = false
    for scalar in line.unicodeScalars {
      if isEscape {
        // ESC [ … up to the letter that ends it: only those of colours stand in frames.
        if scalar.properties.isAlphabetic { isEscape = false }
      } else if scalar == "\u{1b}" {
        isEscape = true
      } else {
        plain.unicodeScalars.append(scalar)
      }
    }
    return DisplayWidth.of(plain)
  }
}
