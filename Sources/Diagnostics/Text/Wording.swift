/// Phrases that many messages share.
package enum Wording {
  /// `; did you mean 'x'?`, else what is allowed, else nothing.
  package static func hint(_ nearest: String?, _ allowed: [String], what: String = "allowed")
    -> String
  {
    if let nearest { return "; did you mean '\(printable(nearest))'?" }
    guard !allowed.isEmpty else { return "" }
    return "; \(what): \(list(allowed))"
  }

  /// `'a', 'b' and 3 more`.
  package static func list(_ names: [String]) -> String {
    let limit = 8
    let shown = names.prefix(limit).map { "'\(printable($0))'" }.joined(separator: ", ")
    return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
  }

  /// Text that a message can quote: one line, no control characters, not too long.
  package static func printable(_ text: String) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      if count == 80 { return result + "…" }
      count += 1
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(isPrintable(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return result
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
