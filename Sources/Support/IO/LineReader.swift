public import Glibc

/// Reads lines from a file descriptor as bytes, in any encoding.
///
/// The last line need not have a newline. A line longer than the limit is read to its end, dropped,
/// and reported; the next one is read as usual.
public struct LineReader: ~Copyable {
  /// The result of reading a line.
  public enum Event: Hashable, Sendable {
    /// A line without its newline.
    case line([UInt8])
    /// A line longer than the limit, in bytes.
    case tooLong(limit: Int)
    case end
  }

  /// Reads at most `count` bytes; there are none at the end.
  package typealias Source = (_ count: Int) throws(InputOutputError) -> [UInt8]

  private let source: Source
  private let limit: Int
  private var buffer: [UInt8] = []
  /// The number of bytes of the buffer that have been returned.
  private var consumed = 0
  private var hasEnded = false
  private let chunk = 64 << 10

  /// Creates a reader of lines up to `limit` bytes; it does not close the descriptor.
  public init(descriptor: Int32 = STDIN_FILENO, limit: Int = 16 << 20) {
    self.init(limit: limit) { count throws(InputOutputError) in
      try Descriptor.read(descriptor, atMost: count)
    }
  }

  /// Creates a reader of the bytes that `source` provides.
  package init(limit: Int = 16 << 20, _ source: @escaping Source) {
    self.source = source
    self.limit = limit
  }

  /// Creates a reader of the lines of a text, such as an argument.
  public init(text: String) {
    source = { _ in [] }
    limit = .max
    buffer = Array(text.utf8)
    hasEnded = true
  }

  /// Whether a whole line has been read ahead, so that ``next()`` won't wait.
  public var hasLine: Bool { buffer[consumed...].contains(0x0a) }

  /// Whether nothing has been read ahead.
  package var isEmpty: Bool { consumed == buffer.count }

  /// Reads the next line, and waits for it if necessary.
  ///
  /// - Throws: ``InputOutputError/cannotRead(errno:)``; the end of the input is not an error.
  public mutating func next() throws(InputOutputError) -> Event {
    var scanned = consumed
    var isTooLong = false
    while true {
      if let newline = newline(from: scanned) {
        let line = Array(buffer[consumed..<newline])
        consumed = newline + 1
        return isTooLong || line.count > limit ? .tooLong(limit: limit) : .line(line)
      }
      if hasEnded { return last(isTooLong) }
      if buffer.count - consumed > limit {
        isTooLong = true
        consumed = buffer.count
      }
      buffer.removeFirst(consumed)
      consumed = 0
      scanned = buffer.count
      let bytes = try source(chunk)
      hasEnded = bytes.isEmpty
      buffer += bytes
    }
  }

  /// The index of the first newline from here on.
  private func newline(from start: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, 0x0a, bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private mutating func last(_ isTooLong: Bool) -> Event {
    let line = Array(buffer[consumed...])
    buffer = []
    consumed = 0
    if isTooLong { return .tooLong(limit: limit) }
    return line.isEmpty ? .end : .line(line)
  }
}
