internal import CYAML
internal import Support

/// libyaml's parser for bytes in memory; owns the C structures.
struct YAMLEvents: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let event: UnsafeMutablePointer<yaml_event_t>

  /// Creates a parser; `nil` if memory can't be allocated.
  ///
  /// The buffer must outlive the parser.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    parser = .allocate(capacity: 1)
    event = .allocate(capacity: 1)
    event.initialize(to: yaml_event_t())
    parser.initialize(to: yaml_parser_t())
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      event.deallocate()
      return nil
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    // libyaml does not dereference the pointer of an empty input, but does not accept null.
    let empty = UnsafeRawPointer(parser).assumingMemoryBound(to: UInt8.self)
    yaml_parser_set_input_string(parser, bytes.baseAddress ?? empty, bytes.count)
  }

  deinit {
    yaml_event_delete(event)
    yaml_parser_delete(parser)
    event.deallocate()
    parser.deallocate()
  }

  /// The next event, valid until the next call; `nil` after an error.
  mutating func next() -> UnsafePointer<yaml_event_t>? {
    yaml_event_delete(event)
    return yaml_parser_parse(parser, event) == 1 ? UnsafePointer(event) : nil
  }

  /// The error, after `next` returned `nil`.
  var failure: YAMLFailure {
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    let parser = parser.pointee
    return YAMLFailure(
      isReading: parser.error == YAML_READER_ERROR,
      problem: text(parser.problem),
      context: text(parser.context),
      mark: SourcePosition(parser.problem_mark),
      contextMark: SourcePosition(parser.context_mark),
      offset: parser.problem_offset)
  }
}

/// libyaml's message about a text that it can't parse.
struct YAMLFailure {
  let isReading: Bool
  let problem: String
  let context: String
  let mark: SourcePosition
  let contextMark: SourcePosition
  /// The byte offset at which decoding failed; only if `isReading`.
  let offset: Int
}

extension SourcePosition {
  /// Converts a mark of libyaml, which counts from 0.
  init(_ mark: yaml_mark_t) {
    self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}

extension Tree.Entry {
  /// Creates an entry for the value that an event begins.
  init(_ event: yaml_event_t, kind: Kind) {
    self.init(
      start: SourcePosition(event.start_mark), end: SourcePosition(event.end_mark), kind: kind)
  }
}

/// The bytes that libyaml reads in place of a file's, of the same length.
///
/// libyaml follows YAML 1.1, in which U+0085, U+2028 and U+2029 break lines, and stops at a control
/// character even in a comment. Other characters stand in for both: the breaks are restored in the
/// texts, and the control characters outside of comments are reported.
struct ParserInput {
  let bytes: [UInt8]
  /// The characters that YAML does not allow in a text, in order; they were replaced.
  let controls: [(offset: Int, value: UInt32)]
  /// The characters of YAML 1.1's line breaks with those that stand in for them.
  private let breaks: [(original: [UInt8], standIn: [UInt8])]

  /// - Complexity: O(*n*), where *n* is the number of bytes.
  init(_ source: [UInt8]) {
    var result = source
    var found: [(offset: Int, value: UInt32)] = []
    var breaks: [(original: [UInt8], standIn: [UInt8])] = []
    var known: Set<UInt32> = []
    for (offset, value) in Self.unusual(in: source) {
      let original = Array(String(Unicode.Scalar(value) ?? " ").utf8)
      if Self.lineBreaks.contains(value), known.insert(value).inserted,
        let standIn = Self.unused(original.count, in: source, besides: breaks.map(\.standIn))
      {
        breaks.append((original, standIn))
      }
      let standIn = breaks.first { $0.original == original }?.standIn
      // A break is not allowed, either, where no character is left to stand in for it.
      if standIn == nil { found.append((offset, value)) }
      result.replaceSubrange(
        offset..<offset + original.count,
        with: standIn ?? Array(["x", "\u{378}", "\u{E000}"][original.count - 1].utf8))
    }
    bytes = result
    controls = found
    self.breaks = breaks
  }

  /// A text of libyaml's with the original characters.
  func restored(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result = Array(text)
    for (original, standIn) in breaks {
      var start = 0
      while let found = UTF8Text.range(of: standIn, in: result, from: start) {
        result.replaceSubrange(found, with: original)
        start = found.upperBound
      }
    }
    return result
  }

  private static let lineBreaks: Set<UInt32> = [0x85, 0x2028, 0x2029]

  /// The breaks and the characters that libyaml does not read, with their offsets.
  private static func unusual(in bytes: [UInt8]) -> [(offset: Int, value: UInt32)] {
    var found: [(Int, UInt32)] = []
    func byte(_ offset: Int) -> UInt32 {
      offset < bytes.count && UTF8Text.isContinuation(bytes[offset]) ? UInt32(bytes[offset]) : 0
    }
    for (offset, first) in bytes.enumerated() {
      switch first {
      case 0x09, 0x0A, 0x0D: break
      case 0..<0x20, 0x7F: found.append((offset, UInt32(first)))
      case 0xC2:
        if (0x80..<0xA0).contains(byte(offset + 1)) { found.append((offset, byte(offset + 1))) }
      case 0xE2 where byte(offset + 1) == 0x80:
        if byte(offset + 2) == 0xA8 || byte(offset + 2) == 0xA9 {
          found.append((offset, 0x2000 | byte(offset + 2) & 0x3F))
        }
      case 0xEF:
        guard byte(offset + 1) != 0, byte(offset + 2) != 0 else { break }
        let value = 0xF000 | (byte(offset + 1) & 0x3F) << 6 | byte(offset + 2) & 0x3F
        if value == 0xFEFF || value >= 0xFFFE { found.append((offset, value)) }
      default: break
      }
    }
    return found
  }

  /// A letter of two bytes, or a character of three, that the file does not contain; `nil` if it
  /// contains them all.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  private static func unused(
    _ length: Int, in bytes: [UInt8], besides others: [[UInt8]]
  ) -> [UInt8]? {
    let values: ClosedRange<UInt32> = length == 2 ? 0x180...0x24F : 0xE001...0xF8FF
    var isUsed = [Bool](repeating: false, count: values.count)
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars
    where values.contains(scalar.value) {
      isUsed[Int(scalar.value - values.lowerBound)] = true
    }
    return values.lazy.filter { !isUsed[Int($0 - values.lowerBound)] }
      .compactMap(Unicode.Scalar.init).map { Array(String($0).utf8) }
      .first { !others.contains($0) }
  }
}

/// Tells which bytes of a text are in comments, if they are in no text of YAML's; they are asked for
/// in their order.
struct CommentFinder {
  private let bytes: [UInt8]
  private var offset = 0
  private var isInComment = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// - Complexity: O(*n*) for all offsets together, where *n* is the number of bytes.
  mutating func isInComment(_ end: Int) -> Bool {
    while offset < end {
      switch bytes[offset] {
      case 0x0A, 0x0D: isInComment = false
      case UInt8(ascii: "#"):
        let follows = offset == 0 || [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset - 1])
        isInComment = isInComment || follows
      default: break
      }
      offset += 1
    }
    return isInComment
  }
}
