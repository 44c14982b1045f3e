/// Writes the source of a manual page, with the macros of man(7).
package struct Roff {
  package private(set) var source = ""

  package init() {}

  package mutating func macro(_ name: String, _ arguments: String...) {
    let quoted = arguments.map { "\"" + Self.escaped($0) + "\"" }
    source += ([".\(name)"] + quoted).joined(separator: " ") + "\n"
  }

  package mutating func section(_ title: String) { macro("SH", title) }

  /// A paragraph.
  package mutating func text(_ text: String) {
    source += ".PP\n"
    line(text)
  }

  /// A term in bold, and what it means.
  package mutating func item(_ term: String, _ meaning: String) {
    source += ".TP\n"
    macro("B", term)
    line(meaning.isEmpty ? "\\&" : meaning)
  }

  /// Lines that are shown as they are.
  package mutating func example(_ lines: some Sequence<String>) {
    source += ".PP\n.nf\n"
    for text in lines { line(text.isEmpty ? " " : text) }
    source += ".fi\n"
  }

  private mutating func line(_ text: String) {
    let text = text == "\\&" ? text : Self.escaped(text)
    // A line that begins so would be a request.
    source += (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + text + "\n"
  }

  /// The text with what roff reads otherwise as it is meant; beyond ASCII as named characters.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\n": result += " "
      case _ where scalar.value < 0x80: result.unicodeScalars.append(scalar)
      default: result += "\\[u" + hexadecimal(scalar.value) + "]"
      }
    }
    return result
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
