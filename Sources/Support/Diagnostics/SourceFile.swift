/// A manifest's text as it was read, for positions and excerpts.
public struct SourceFile: Sendable {
  /// The path as the user gave it, or as it results from an `include`.
  public let path: String
  /// The text in UTF-8, without a byte order mark, whatever the file's encoding.
  package let bytes: [UInt8]
  /// The bytes of the file as they were read.
  package let original: [UInt8]
  /// The lines as YAML 1.2 breaks them: ranges of ``bytes`` without line breaks.
  package let lines: [Range<Int>]
  /// The marks of long lines, one every ``markDistance`` scalars, by the index of the line: to find
  /// a column in a long line without scanning all of it.
  private let marks: [Int: [LineMark]]

  private struct LineMark {
    let byte: Int
    /// The number of UTF-16 code units before it in its line.
    let units: Int
  }

  /// The number of scalars between two marks.
  private static let markDistance = 256

  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package init(path: String, bytes: [UInt8], original: [UInt8]? = nil) {
    self.path = path
    self.bytes = bytes
    self.original = original ?? bytes
    let lines = Self.lines(of: bytes)
    self.lines = lines
    marks = Dictionary(
      uniqueKeysWithValues: lines.indices.filter { lines[$0].count > 4 * Self.markDistance }
        .map { ($0, Self.marks(of: lines[$0], in: bytes)) })
  }

  /// The folder of ``path``: `.` if the path has no folder.
  public var folder: String { FilePath.folder(of: path) }

  private static func lines(of bytes: [UInt8]) -> [Range<Int>] {
    bytes.withUnsafeBufferPointer { bytes in
      var lines: [Range<Int>] = []
      var start = 0
      var offset = 0
      while offset < bytes.count {
        let byte = bytes[offset]
        offset += 1
        guard byte == 0x0A || byte == 0x0D else { continue }
        lines.append(start..<offset - 1)
        if byte == 0x0D, offset < bytes.count, bytes[offset] == 0x0A { offset += 1 }
        start = offset
      }
      return lines + [start..<offset]
    }
  }

  private static func marks(of line: Range<Int>, in bytes: [UInt8]) -> [LineMark] {
    // A line that is not UTF-8 may begin with a continuation, and have nothing else.
    var marks = [LineMark(byte: line.lowerBound, units: 0)]
    var scalars = 0
    var units = 0
    for offset in line where !UTF8Text.isContinuation(bytes[offset]) {
      if scalars > 0, scalars % markDistance == 0 {
        marks.append(LineMark(byte: offset, units: units))
      }
      scalars += 1
      units += UTF8Text.utf16Length(ofScalarAt: bytes[offset])
    }
    return marks
  }

  package func position(ofByte offset: Int) -> SourcePosition {
    // The first line, and the first mark of a line, are at its beginning.
    let line = max(lines.partitioningIndex { $0.lowerBound > offset }, 1) - 1
    var (start, column) = (lines[line].lowerBound, 1)
    if let marks = marks[line] {
      let mark = max(marks.partitioningIndex { $0.byte > offset }, 1) - 1
      start = marks[mark].byte
      column += mark * Self.markDistance
    }
    let before = bytes[start..<min(max(offset, start), bytes.count)]
    column += before.count { !UTF8Text.isContinuation($0) }
    return SourcePosition(line: line + 1, column: column)
  }

  /// The byte at a position, or the end of its line or text if the position is beyond that.
  package func byte(at position: SourcePosition) -> Int {
    offset(of: position)?.byte ?? bytes.count
  }

  /// The byte at a position, and the number of UTF-16 code units before it in its line; `nil` if
  /// there is no such line.
  ///
  /// For a column beyond the end of its line the byte is the line's end, and each column beyond it
  /// counts as one unit.
  package func offset(of position: SourcePosition) -> (byte: Int, utf16: Int)? {
    guard lines.indices.contains(position.line - 1) else { return nil }
    let range = lines[position.line - 1]
    var scalars = max(position.column - 1, 0)
    var offset = range.lowerBound
    var units = 0
    if let marks = marks[position.line - 1] {
      let index = min(scalars / Self.markDistance, marks.count - 1)
      offset = marks[index].byte
      units = marks[index].units
      scalars -= index * Self.markDistance
    }
    while scalars > 0, offset < range.upperBound {
      units += UTF8Text.utf16Length(ofScalarAt: bytes[offset])
      offset += 1
      while offset < range.upperBound, UTF8Text.isContinuation(bytes[offset]) { offset += 1 }
      scalars -= 1
    }
    return (offset, units + scalars)
  }
}

/// The files of one manifest: the first, then the included ones in order of loading.
public struct SourceMap: Sendable {
  /// The files; a range's `file` is an index into them.
  public private(set) var files: [SourceFile] = []

  public init() {}

  /// The file that a range is in; `nil` for a range of another map.
  package func file(of range: SourceRange) -> SourceFile? {
    files.indices.contains(range.file) ? files[range.file] : nil
  }

  /// The path of the file that a range is in; `?` for a range of another map.
  public func path(of range: SourceRange) -> String { file(of: range)?.path ?? "?" }

  /// The start of a range as `path:line:column`.
  public func description(of range: SourceRange) -> String {
    "\(path(of: range)):\(range.start.line):\(range.start.column)"
  }

  /// The column of a position of a file in UTF-16 code units, counted from 1, as editors count.
  ///
  /// A position beyond the end of its line stays as many columns beyond the end.
  public func utf16Column(of position: SourcePosition, inFile file: Int) -> Int {
    guard files.indices.contains(file) else { return position.column }
    return files[file].offset(of: position).map { $0.utf16 + 1 } ?? position.column
  }

  /// Adds a file and returns its index.
  package mutating func add(_ file: SourceFile) -> Int {
    files.append(file)
    return files.count - 1
  }
}

/// A range of source text: a file of a ``SourceMap`` and two positions in it.
///
/// A range contains no path: ``SourceMap`` knows the paths and the text. Ranges are ordered by
/// file, in order of loading, then by position.
public struct SourceRange: Hashable, Comparable, Sendable {
  /// The file, as its index in the ``SourceMap``.
  public let file: Int
  public let start: SourcePosition
  /// Where it ends: the position after the last character.
  public let end: SourcePosition

  public init(file: Int, start: SourcePosition, end: SourcePosition) {
    self.file = file
    self.start = start
    self.end = end
  }

  /// The start of a file, for what concerns the file as a whole.
  package static func start(ofFile file: Int) -> SourceRange {
    let start = SourcePosition(line: 1, column: 1)
    return SourceRange(file: file, start: start, end: start)
  }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    if left.file != right.file { return left.file < right.file }
    return left.start != right.start ? left.start < right.start : left.end < right.end
  }
}

/// A place between two characters of a source text.
///
/// Lines and columns count from 1; a column is one Unicode scalar, as libyaml counts them.
public struct SourcePosition: Hashable, Comparable, Sendable {
  /// The line, counted from 1.
  public let line: Int
  /// The column, counted from 1, in Unicode scalars.
  public let column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.line != right.line ? left.line < right.line : left.column < right.column
  }
}

/// A value together with the range it was read from.
public struct Located<Value> {
  public var value: Value
  public var range: SourceRange

  public init(_ value: Value, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
extension Located: Sendable where Value: Sendable {}
