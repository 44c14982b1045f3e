internal import CYAML
internal import Diagnostics

/// libyaml's parser over bytes in memory; owns the C structures.
struct YAMLEvents: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let event: UnsafeMutablePointer<yaml_event_t>

  /// Makes a parser; nil when there is no memory.
  ///
  /// The bytes must stay where they are while the parser lives.
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
    // libyaml never looks at the pointer of an empty input, but does not take null.
    let empty = UnsafeRawPointer(parser).assumingMemoryBound(to: UInt8.self)
    yaml_parser_set_input_string(parser, bytes.baseAddress ?? empty, bytes.count)
  }

  deinit {
    yaml_event_delete(event)
    yaml_parser_delete(parser)
    event.deallocate()
    parser.deallocate()
  }

  /// The next event, valid until the one after it is asked for; nil after an error.
  mutating func next() -> UnsafePointer<yaml_event_t>? {
    yaml_event_delete(event)
    return yaml_parser_parse(parser, event) == 1 ? UnsafePointer(event) : nil
  }

  /// What went wrong, after `next` gave nil.
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
      offset: parser.problem_offset,
      value: parser.problem_value)
  }
}

/// libyaml's message about a text that it can't parse.
struct YAMLFailure {
  let isReading: Bool
  let problem: String
  let context: String
  let mark: SourcePosition
  let contextMark: SourcePosition
  /// Where reading failed, in bytes; only for failures of reading.
  let offset: Int
  let value: Int32
}

extension SourcePosition {
  /// A mark of libyaml, which counts from 0.
  init(_ mark: yaml_mark_t) {
    self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}
