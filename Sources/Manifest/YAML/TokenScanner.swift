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
