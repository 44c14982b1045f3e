/// A manifest's text as it was read, for positions and excerpts.
public struct SourceFile: Sendable {
  /// The path as the user gave it, or as it results from an `include`.
  public let path: String

  /// The text in UTF-8, without a byte order mark, whatever the file's encoding.
  package let bytes: [UInt8]

  /// The bytes of the file as they were read.
  package let original: [UInt8]

  package init(path: String, bytes: [UInt8], original: [UInt8]? = nil) {
    self.path = path
    self.bytes = bytes
    self.original = original ?? bytes
  }

  /// The folder of ``path``: `.` if the path has no folder.
  public var folder: String { FilePath.folder(of: path) }

  /// The position of a byte.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes before it.
  package func position(ofByte offset: Int) -> SourcePosition {
    var lines = LineIterator(bytes: bytes)
    var number = 0
    var current = 0..<0
    while let line = lines.next(), line.lowerBound <= offset {
      number += 1
      current = line
    }
    let before = bytes[current.lowerBound..<min(max(offset, current.lowerBound), bytes.count)]
    return SourcePosition(line: max(number, 1), column: UTF8Text.scalarCount(before) + 1)
  }

  /// The byte at a position, or the end of its line if the position is beyond that.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes before it.
  package func byte(at position: SourcePosition) -> Int {
    var lines = LineIterator(bytes: bytes)
    for _ in 1..<max(position.line, 1) where lines.next() == nil { return bytes.count }
    guard let line = lines.next() else { return bytes.count }
    var offset = line.lowerBound
    var column = 1
    while column < position.column, offset < line.upperBound {
      offset += 1
      while offset < line.upperBound, UTF8Text.isContinuation(bytes[offset]) { offset += 1 }
      column += 1
    }
    return offset
  }
}

/// The lines of a text, as YAML 1.2 breaks them.
package struct LineIterator: IteratorProtocol {
  package let bytes: [UInt8]
  private var offset = 0
  private var isDone = false

  package init(bytes: [UInt8], from offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  /// The bytes of the next line, without the break.
  package mutating func next() -> Range<Int>? {
    guard !isDone else { return nil }
    let start = offset
    while offset < bytes.count {
      let length = UTF8Text.lineBreakLength(in: bytes, at: offset)
      if length > 0 {
        defer { offset += length }
        return start..<offset
      }
      offset += 1
    }
    isDone = true
    return start..<offset
  }
}
