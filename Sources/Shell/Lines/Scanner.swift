@_spi(Host) internal import AppCore
package import Support

/// The lexical elements of the line grammar.
package enum Scanner {
  /// Whether a character separates words: a space or a tab; other white space belongs to values.
  static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }

  static func trim(_ text: Substring) -> Substring {
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text
  }

  /// Whether `text` can be the end mark of a text of several lines: ASCII letters, digits and `_`,
  /// not beginning with a digit.
  static func isWord(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
        || (0x61...0x7a).contains(byte) || byte == 0x5f
    }
  }

  /// The first range of `needle` in `text`, compared byte for byte; `nil` if there is none.
  static func firstRange(of needle: String, in text: Substring) -> Range<Substring.Index>? {
    UTF8Text.range(of: Array(needle.utf8), in: Array(text.utf8)).map { range in
      let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
      return start..<text.utf8.index(start, offsetBy: range.count)
    }
  }

  /// An identifier as lines name it: `@ID`, or `@"ID"` if it is not one word.
  package static func line(identifier id: String) -> String {
    let isWord =
      id.first != "\"" && !id.isEmpty
      && !id.contains { isSpace($0) || $0.isNewline || $0 == "\0" }
    return "@" + (isWord ? id : JSONTree.quote(id))
  }

  /// The finite decimal number that a user has written; `nil` for anything else, such as `inf`,
  /// `nan` or hexadecimal.
  static func number(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text),
      number.isFinite
    else { return nil }
    return number
  }

  /// A duration with its unit, such as `5ms`; `nil` if the text is malformed, has no unit or is
  /// longer than a day.
  static func duration(_ text: some StringProtocol) -> Duration? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit: Double
    switch text[digits.endIndex...] {
    // The micro sign, and the Greek letter that looks like it.
    case "us", "\u{b5}s", "\u{3bc}s": unit = 1e3
    case "ms": unit = 1e6
    case "s": unit = 1e9
    default: return nil
    }
    // Rounded to nanoseconds, in which actions are measured.
    guard let nanoseconds = number(digits).map({ ($0 * unit).rounded() }), nanoseconds <= 86_400e9
    else { return nil }
    return .nanoseconds(Int(nanoseconds))
  }

  /// The text, decoded if the whole of it is a JSON string.
  static func decoded(_ text: Substring) throws(Rejection) -> String {
    guard text.utf8.count >= 2, text.utf8.first == 0x22, text.utf8.last == 0x22 else {
      return String(text)
    }
    var reader = JSONReader(text.utf8)
    do {
      let string = try reader.string()
      return reader.isAtEnd ? try string.withoutNUL() : String(text)
    } catch let error as JSONReader.Failure {
      // `"C:\path"` is not a JSON string and is taken literally; an unpaired surrogate is an error.
      if error.isSurrogate { throw .badString(error) }
      return String(text)
    } catch {
      throw .containsNUL
    }
  }
}

extension String {
  /// The text, unless it contains NUL.
  func withoutNUL() throws(Rejection) -> String {
    if unicodeScalars.contains("\0") { throw .containsNUL }
    return self
  }
}

extension NearestName {
  /// The closest candidate, or else the first one that begins with the word, ignoring case.
  package static func meant(by word: String, among candidates: [String]) -> String? {
    of(word, among: candidates)
      ?? (word.count > 1
        ? candidates.first { $0.lowercased().hasPrefix(word.lowercased()) } : nil)
  }
}
