@_spi(Host) internal import AppCore
public import Support

/// Parses lines by the grammar in docs/shell.md, independently of any screen.
public struct LineParser: Sendable {
  public let supported: Set<ShellCommand>

  /// Creates a parser that accepts the commands `supported`.
  public init(supported: Set<ShellCommand> = Set(ShellCommand.all)) {
    self.supported = supported
  }

  /// Decodes the bytes of a line, without its newline; one trailing CR is dropped.
  ///
  /// - Throws: a `Rejection` if they are not UTF-8 or contain NUL.
  public static func text(_ bytes: some Collection<UInt8>) throws(Rejection) -> String {
    var bytes = Array(bytes)
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    let text: String
    do {
      text = String(copying: try UTF8Span(validating: bytes.span))
    } catch {
      throw Rejection(
        .badUTF8,
        "the line is not UTF-8: byte \(error.byteOffsets.lowerBound + 1) does not belong there")
    }
    if bytes.contains(0) { throw .containsNUL }
    return text
  }

  /// Parses a line.
  ///
  /// - Throws: a ``Rejection`` if the line's syntax or its command is not valid.
  public func parse(_ text: String) throws(Rejection) -> Line {
    let line = Scanner.trim(text[...])
    guard let first = line.first else { return .nothing }
    switch first {
    case "#": return .nothing
    case ":":
      return .command(try CommandParser.command(line.dropFirst(), supported: supported))
    case "@": return try identifier(line.dropFirst())
    case "\"": return try quotedLabel(line)
    default: break
    }
    if let number = try number(line) { return number }
    guard let equals = Scanner.firstRange(of: " = ", in: line) else {
      let isAssigned = line.last == "=" && line.dropLast().last.map(Scanner.isSpace) == true
      return .label(String(isAssigned ? Scanner.trim(line.dropLast()) : line), value: nil)
    }
    let label = Scanner.trim(line[..<equals.lowerBound])
    return .label(String(label), value: try value(line[equals.upperBound...]))
  }

  private func identifier(_ rest: Substring) throws(Rejection) -> Line {
    if rest.first == "\"" {
      let (id, rest) = try string(rest)
      guard !id.isEmpty else { throw .identifierMissing }
      guard rest.first.map(Scanner.isSpace) != false else {
        throw Rejection(
          .textAfterIdentifier,
          "after the identifier '\(Scanner.line(identifier: id).quoted)' a space is due")
      }
      return .identifier(id, value: try assigned(rest))
    }
    let id = rest.prefix { !Scanner.isSpace($0) }
    guard !id.isEmpty else { throw .identifierMissing }
    return .identifier(String(id), value: try assigned(rest[id.endIndex...]))
  }

  private func number(_ line: Substring) throws(Rejection) -> Line? {
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    let rest = line[digits.endIndex...]
    guard !digits.isEmpty, rest.isEmpty || rest.first.map(Scanner.isSpace) == true else {
      return nil
    }
    // A number too large for `Int` becomes `Int.max`, which is not a control's number either.
    return .number(Int(digits) ?? .max, value: try assigned(rest), text: String(line))
  }

  private func quotedLabel(_ line: Substring) throws(Rejection) -> Line {
    let (label, rest) = try string(line)
    let tail = Scanner.trim(rest)
    if tail.isEmpty { return .label(label, value: nil) }
    guard tail.first == "=", rest.first != "=" else { throw .textAfterLabel(label) }
    let written = tail.dropFirst()
    guard written.isEmpty || written.first.map(Scanner.isSpace) == true else {
      throw .textAfterLabel(label)
    }
    return .label(label, value: try value(written))
  }

  /// The JSON string at the beginning of a text, and what follows it.
  private func string(
    _ text: Substring
  ) throws(Rejection) -> (string: String, rest: Substring) {
    var reader = JSONReader(text.utf8)
    let string: String
    do { string = try reader.string() } catch { throw .badString(error) }
    return (
      try string.withoutNUL(),
      text[text.utf8.index(text.startIndex, offsetBy: reader.position)...]
    )
  }

  /// Parses the value after a number or an identifier: `VALUE`, or ` = VALUE`.
  private func assigned(_ rest: Substring) throws(Rejection) -> LineValue? {
    let text = Scanner.trim(rest)
    let written = text.dropFirst()
    let isAssigned = text.first == "=" && written.first.map(Scanner.isSpace) != false
    return try value(isAssigned ? written : text)
  }

  /// Parses the rest of a line as a value; `nil` if it is empty.
  private func value(_ rest: Substring) throws(Rejection) -> LineValue? {
    let text = Scanner.trim(rest)
    if text.isEmpty { return nil }
    if text.hasPrefix("<<"), Scanner.isWord(text.dropFirst(2)) {
      return .lines(end: String(text.dropFirst(2)))
    }
    return .text(try Scanner.decoded(text))
  }
}

/// A parsed line, before its control is looked up.
public enum Line: Hashable, Sendable {
  /// A blank line or a comment.
  case nothing
  /// `N [VALUE]`; `text` is the whole line, which might be a control's label.
  case number(Int, value: LineValue?, text: String)
  /// `@ID [VALUE]`.
  case identifier(String, value: LineValue?)
  /// `LABEL` or `LABEL = VALUE`.
  case label(String, value: LineValue?)
  /// `:COMMAND`.
  case command(Command)

  /// Whether it names a control by the number that this has on a screen.
  var hasNumber: Bool {
    switch self {
    case .number, .command(.press): true
    default: false
    }
  }
}

public enum LineValue: Hashable, Sendable {
  /// A text; a JSON string has been decoded.
  case text(String)
  /// A number on a JSON line.
  case number(Double)
  /// `true` or `false` on a JSON line.
  case bool(Bool)
  /// `<<END`: the following lines, up to a line `END`.
  case lines(end: String)
}

/// A multi-line value that is being read, like a here-document of a shell.
///
/// All lines up to the end mark belong to it, even after it was rejected: they must not be
/// interpreted as commands.
struct PendingText: Sendable {
  let line: Line
  let end: String
  let seen: ShownScreen
  /// What logs call the text if ``line`` is not known, because another process has read it.
  var opening: String?
  private var lines: [String] = []
  private var size = 0
  private var refusal: Rejection?
  /// The maximum size of all lines together, in bytes.
  static let limit = 16 << 20

  init(line: Line, end: String, seen: ShownScreen) {
    self.line = line
    self.end = end
    self.seen = seen
  }

  /// Rejects the text; only the first reason is kept.
  mutating func refuse(_ refusal: Rejection) {
    self.refusal = self.refusal ?? refusal
    lines = []
  }

  /// Whether a line is the end mark.
  func isEnd(_ bytes: some Collection<UInt8>) -> Bool { (try? LineParser.text(bytes)) == end }

  /// Adds a line; `true` if it was the end mark.
  mutating func add(_ bytes: some Collection<UInt8>) -> Bool {
    do throws(Rejection) {
      let text = try LineParser.text(bytes)
      if text == end { return true }
      guard refusal == nil else { return false }
      size += bytes.count + 1
      if size > Self.limit { throw Rejection.tooLong(limit: Self.limit) }
      lines.append(text)
    } catch {
      refuse(error)
    }
    return false
  }

  /// The complete line, with the text as its value.
  func finished() throws(Rejection) -> Line {
    if let refusal { throw refusal }
    let value = LineValue.text(lines.joined(separator: "\n"))
    switch line {
    case .number(let number, _, let text): return .number(number, value: value, text: text)
    case .identifier(let id, _): return .identifier(id, value: value)
    case .label(let label, _): return .label(label, value: value)
    case .nothing, .command: return line
    }
  }
}

extension Line {
  /// The end mark of the line's text; `nil` if its value is not a text of several lines.
  var end: String? {
    switch self {
    case .number(_, .lines(let end), _), .identifier(_, .lines(let end)),
      .label(_, .lines(let end)):
      end
    default: nil
    }
  }
}

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
