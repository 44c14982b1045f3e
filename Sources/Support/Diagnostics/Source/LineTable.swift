/// The lines of a text, with marks to find a column in a long line without scanning all of it.
package struct LineTable: Sendable {
  /// A place in a long line.
  private struct Mark {
    let byte: Int
    /// The number of UTF-16 code units before it in its line.
    let units: Int
  }

  /// The lines, as ranges of the bytes without line breaks.
  package let lines: [Range<Int>]
  private let bytes: [UInt8]
  /// The marks of long lines, one every ``distance`` scalars, by the index of the line.
  private let marks: [Int: [Mark]]
  /// The number of scalars between two marks.
  private static let distance = 256

  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let lines = Array(IteratorSequence(LineIterator(bytes: bytes)))
    self.lines = lines
    marks = Dictionary(
      uniqueKeysWithValues: lines.indices.filter { lines[$0].count > 4 * Self.distance }
        .map { ($0, Self.marks(of: lines[$0], in: bytes)) })
  }

  private static func marks(of line: Range<Int>, in bytes: [UInt8]) -> [Mark] {
    var marks: [Mark] = []
    var scalars = 0
    var units = 0
    for offset in line where !UTF8Text.isContinuation(bytes[offset]) {
      if scalars % distance == 0 { marks.append(Mark(byte: offset, units: units)) }
      scalars += 1
      units += UTF8Text.utf16Length(ofScalarAt: bytes[offset])
    }
    return marks
  }

  /// The byte at a column, counted from 1 in Unicode scalars, and the number of UTF-16 code units
  /// before it in its line; `nil` if there is no such line.
  ///
  /// For a column beyond the end of its line the byte is the line's end, and each column beyond it
  /// counts as one unit.
  package func place(line: Int, column: Int) -> (byte: Int, units: Int)? {
    guard lines.indices.contains(line - 1) else { return nil }
    let range = lines[line - 1]
    var scalars = max(column - 1, 0)
    var offset = range.lowerBound
    var units = 0
    if let marks = marks[line - 1] {
      let index = min(scalars / Self.distance, marks.count - 1)
      offset = marks[index].byte
      units = marks[index].units
      scalars -= index * Self.distance
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
