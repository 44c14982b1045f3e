/// The lines of a text, in which a column is found without going through its line from the start.
package struct LineTable: Sendable {
  /// A place in a long line.
  private struct Mark {
    let byte: Int
    /// The UTF-16 code units before it in its line.
    let units: Int
  }

  /// The lines, as ranges of the bytes without line breaks.
  package let lines: [Range<Int>]
  private let bytes: [UInt8]
  /// Every so many scalars of a long line, by the line.
  private let marks: [Int: [Mark]]
  /// Scalars between two marks.
  private static let distance = 256

  /// - Complexity: O(n) in the bytes.
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

  /// The byte at a column, counted from 1 in Unicode scalars, and the UTF-16 code units before it in
  /// its line; `nil` where there is no such line.
  ///
  /// A column beyond the end of its line is at the end, with as many units more as it is beyond.
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
