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
