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

/// Percent-encoding as in URLs: `%20` for a space.
package enum PercentEncoding {
  /// The text with every byte but ASCII letters, digits and `-._~` written as `%XX`.
  package static func encode(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: result.append(byte)
      default: result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes percent-encoded bytes; `nil` if an escape is malformed or the result is not UTF-8.
  package static func decode(_ encoded: some Sequence<UInt8>) -> String? {
    var decoded: [UInt8] = []
    var rest = encoded.makeIterator()
    while var byte = rest.next() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
          return nil
        }
        byte = high << 4 | low
      }
      decoded.append(byte)
    }
    return String(validating: decoded, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}

/// A word as a shell reads it: quoted if it contains more than letters, digits and a few signs.
package func shellWord(_ word: String) -> String {
  let plain = word.utf8.allSatisfy { byte in
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
      || "_-./+:@%,=".utf8.contains(byte)
  }
  if plain, !word.isEmpty { return word }
  return "'" + word.replacing("'", with: "'\\''") + "'"
}
