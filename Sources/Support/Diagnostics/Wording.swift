/// Phrases that many messages share.
package enum Wording {
  /// `; did you mean 'x'?`, else what is allowed, else nothing.
  package static func hint(
    _ nearest: Suggestion?, _ allowed: [String], what: String = "allowed"
  ) -> String {
    if let nearest { return "; \(nearest.question)" }
    guard !allowed.isEmpty else { return "" }
    return "; \(what): \(list(allowed))"
  }

  /// `'a', 'b' and 3 more`.
  package static func list(_ names: [String], limit: Int = 20) -> String {
    // Enough for the keys of a route, the longest list.
    let shown = names.prefix(limit).map(quote).joined(separator: ", ")
    return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
  }

  /// Text that a message can quote: one line, without control characters.
  ///
  /// Names and paths are not shortened, because a reader searches for them. Only a text that is
  /// longer than any path can be loses its middle.
  package static func printable(_ text: String) -> String {
    var result = ""
    for scalar in withoutMiddle(text).unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(isPrintable(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return result
  }

  /// A note on the first letter of a name that is neither ASCII nor in the name that was meant, such
  /// as a Cyrillic `а` or a zero-width space: `its 3rd letter is U+0430`.
  package static func oddLetter(in name: String, meaning meant: String = "") -> String? {
    let expected = Set(meant.unicodeScalars)
    for (index, scalar) in name.unicodeScalars.enumerated()
    where scalar.value > 0x7F && !expected.contains(scalar) {
      return "its \(ordinal(index + 1)) letter is U+\(hex(scalar.value))"
    }
    return nil
  }

  private static func ordinal(_ number: Int) -> String {
    switch (number % 10, number % 100) {
    case (_, 11...13): "\(number)th"
    case (1, _): "\(number)st"
    case (2, _): "\(number)nd"
    case (3, _): "\(number)rd"
    default: "\(number)th"
    }
  }

  /// A code point as Unicode writes it, without `U+`.
  package static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Linux's PATH_MAX.
  private static let longest = 4096

  private static func withoutMiddle(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard text.utf8.count > longest, scalars.count > longest else { return text }
    return String(scalars.prefix(longest / 2)) + "…" + String(scalars.suffix(longest / 2))
  }

  /// Whether a scalar may be sent to a terminal as it is.
  static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
    case .format: scalar.value == 0x200D
    default: true
    }
  }
}

/// A text as messages quote it.
package func quote(_ text: String) -> String { "'\(Wording.printable(text))'" }

/// `1 plugin`, `2 plugins`.
package func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
