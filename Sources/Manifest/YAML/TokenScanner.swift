package import Support

/// Finds the quoted texts and the comments before a syntax error, which may explain it.
///
/// libyaml does not say where they are: it has seen an error, in a line with nothing wrong.
struct TokenScanner {
  /// A quoted text with its quotation marks, or a comment.
  typealias Token = (range: Range<Int>, isComment: Bool)

  private let bytes: [UInt8]
  private var offset = 0
  private var depth = 0
  /// The indentation of the key of the block of text that is being skipped.
  private var block: Int?
  /// Whether a value can begin here.
  private var isStart = true

  /// The quoted texts and comments that begin before a byte, in order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes before it.
  static func tokens(before end: Int, in bytes: [UInt8]) -> [Token] {
    var scanner = TokenScanner(bytes: bytes)
    var tokens: [Token] = []
    while scanner.offset < min(end, bytes.count) {
      if let token = scanner.next() { tokens.append(token) }
    }
    return tokens
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Moves over one token, and returns it if it is a quoted text or a comment.
  private mutating func next() -> Token? {
    let start = offset
    let byte = bytes[start]
    offset += 1
    let wasStart = isStart
    isStart = false
    switch byte {
    case 0x0A, 0x0D:
      isStart = true
      skipBlock()
    case 0x20, 0x09: isStart = wasStart
    case UInt8(ascii: "#") where start == 0 || Self.isBlank(bytes[start - 1]):
      skipLine()
      return (start..<offset, true)
    case UInt8(ascii: "\"") where wasStart, UInt8(ascii: "'") where wasStart:
      skipQuoted(byte)
      return (start..<offset, false)
    case UInt8(ascii: "|") where wasStart && depth == 0,
      UInt8(ascii: ">") where wasStart && depth == 0:
      block = indentation(at: start)
      skipLine()
    case UInt8(ascii: "{") where wasStart, UInt8(ascii: "[") where wasStart:
      depth += 1
      isStart = true
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(0, depth - 1)
    case UInt8(ascii: ","): isStart = depth > 0
    case UInt8(ascii: ":"): isStart = isBlank(at: offset)
    case UInt8(ascii: "-"), UInt8(ascii: "?"): isStart = wasStart && isBlank(at: offset)
    case UInt8(ascii: "&") where wasStart, UInt8(ascii: "!") where wasStart:
      while !isBlank(at: offset) { offset += 1 }
      isStart = true
    default: break
    }
    return nil
  }

  private mutating func skipQuoted(_ quote: UInt8) {
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        offset = min(offset + 1, bytes.count)
      } else if byte == quote {
        guard quote == UInt8(ascii: "'"), offset < bytes.count, bytes[offset] == quote else {
          return
        }
        offset += 1
      }
    }
  }

  private mutating func skipLine() {
    while offset < bytes.count, !Self.isBreak(bytes[offset]) { offset += 1 }
  }

  /// Skips the lines of a block of text, which are indented further than its key, or blank.
  private mutating func skipBlock() {
    guard let indentation = block else { return }
    while offset < bytes.count {
      let line = bytes[offset...].prefix { !Self.isBreak($0) }
      let spaces = line.prefix { $0 == 0x20 }.count
      guard spaces > indentation || line.allSatisfy(Self.isBlank) else { break }
      offset = min(line.endIndex + 1, bytes.count)
    }
    block = nil
  }

  private func indentation(at offset: Int) -> Int {
    var start = offset
    while start > 0, !Self.isBreak(bytes[start - 1]) { start -= 1 }
    return bytes[start...].prefix { $0 == 0x20 }.count
  }

  private func isBlank(at offset: Int) -> Bool {
    offset >= bytes.count || Self.isBlank(bytes[offset])
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || isBreak(byte)
  }

  static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}

/// A text that a comment cuts off, most likely by mistake.
struct CutText: Sendable {
  /// The comment, to the end of its line.
  let comment: Located<String>
  /// The text including the part that is cut off.
  let whole: Located<String>
  /// Whether the text before the comment has quotes.
  let isQuoted: Bool

  /// Whether a comment that cuts a text off may begin with the byte after the text.
  static func mayFollow(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "#")
  }

  /// Looks for a comment after a scalar on one line; `nil` if there is none, or an intended one.
  ///
  /// A comment is a mistake if it contains a template or directly follows a quotation mark.
  init?(_ scalar: Range<Int>, isQuoted: Bool, in source: SourceFile, file: Int) {
    let bytes = source.bytes
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let hash = bytes[scalar.upperBound...].firstIndex(where: { !isBlank($0) }),
      bytes[hash] == UInt8(ascii: "#"), hash > scalar.upperBound || isQuoted
    else { return nil }
    let text = bytes[hash...].prefix { $0 != 0x0A && $0 != 0x0D }
    let hasTemplate = zip(text, text.dropFirst()).contains {
      $0 == UInt8(ascii: "{") && $1 == UInt8(ascii: "$")
    }
    guard hasTemplate || isQuoted && hash == scalar.upperBound else { return nil }
    func located(_ part: Range<Int>) -> Located<String> {
      Located(
        String(decoding: bytes[part], as: UTF8.self),
        at: SourceRange(
          file: file, start: source.position(ofByte: part.lowerBound),
          end: source.position(ofByte: part.upperBound)))
    }
    comment = located(hash..<text.endIndex)
    let end = text.lastIndex { !isBlank($0) } ?? hash
    whole = located(scalar.lowerBound..<end + 1)
    self.isQuoted = isQuoted
  }

  /// The problem; `isWhole` if the text ends with its line, which is not so in flow style.
  func problem(isWhole: Bool) -> Diagnostic {
    Diagnostic(
      .commentInText, at: comment.range, Self.message(comment.value, isQuoted: isQuoted),
      correction: isWhole && !isQuoted ? .init(whole.value, whole.value) : nil,
      correcting: whole.range)
  }

  static func message(_ comment: String, isQuoted: Bool) -> String {
    "the text ends before \(quote(comment)), which is a comment to YAML; "
      + (isQuoted ? "put it inside the quotes" : "put the text in quotes")
  }
}

/// A part of a manifest on one line, as a value in braces or brackets, however it is written.
package enum FlowText {
  /// The text of a range that holds one value, without comments; `nil` if the part can't be read
  /// alone, because it refers to an anchor elsewhere.
  package static func of(_ range: SourceRange, in source: SourceFile) -> String? {
    let (start, end) = (source.byte(at: range.start), source.byte(at: range.end))
    guard start < end, end <= source.bytes.count else { return nil }
    // The first line is indented like the others.
    let indent = [UInt8](repeating: UInt8(ascii: " "), count: range.start.column - 1)
    let part = SourceFile(path: source.path, bytes: indent + source.bytes[start..<end])
    var builder = TreeBuilder(source: part, file: 0, limits: ManifestLimits())
    guard let tree = builder.build(), builder.problems.isEmpty else { return nil }
    return text(0, of: tree, in: part)
  }

  private static func text(_ index: Int, of tree: Tree, in source: SourceFile) -> String {
    switch tree.entries[index].kind {
    case .mapping:
      let pairs = tree.pairs(of: index).map { key, value in
        "\(text(key, of: tree, in: source)): \(text(value, of: tree, in: source))"
      }
      return pairs.isEmpty ? "{}" : "{ \(pairs.joined(separator: ", ")) }"
    case .sequence:
      let elements = tree.elements(of: index).map { text($0, of: tree, in: source) }
      return "[\(elements.joined(separator: ", "))]"
    case .scalar: return scalar(index, of: tree, in: source)
    case .alias, .invalid: return ""
    }
  }

  private static func scalar(_ index: Int, of tree: Tree, in source: SourceFile) -> String {
    let entry = tree.entries[index]
    let string = tree.string(index)
    if entry.isPlain {
      let isSafe = !string.contains { ",[]{}".contains($0) || $0.isNewline }
      return isSafe ? string : JSONTree.quote(string)
    }
    let (start, end) = (source.byte(at: entry.start), source.byte(at: entry.end))
    let isQuoted =
      start < end && [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(source.bytes[start])
    guard isQuoted, entry.start.line == entry.end.line else { return JSONTree.quote(string) }
    return String(decoding: source.bytes[start..<end], as: UTF8.self)
  }
}
