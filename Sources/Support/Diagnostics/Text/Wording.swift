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
  package static func list(_ names: [String]) -> String {
    // Enough for the keys of a route, the longest list.
    let limit = 20
    let shown = names.prefix(limit).map { "'\(printable($0))'" }.joined(separator: ", ")
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
