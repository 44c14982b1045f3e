/// Text in XML and HTML.
package enum MarkupText {
  /// `text` as the content of an element or of a quoted attribute.
  ///
  /// Characters that the two can't contain, such as an escape character, are made visible.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in SafeText.line(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
