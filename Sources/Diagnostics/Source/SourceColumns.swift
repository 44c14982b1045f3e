/// Turns columns in Unicode scalars, as problems have them, into columns in UTF-16 code units, as
/// editors and other tools count them.
public struct SourceColumns: Sendable {
  private let sources: SourceMap
  /// The lines of each file.
  private let lines: [[Range<Int>]]

  /// Makes columns for positions in some files.
  ///
  /// - Complexity: O(bytes of the files), so that a position costs no more than its line.
  public init(_ sources: SourceMap) {
    self.sources = sources
    lines = sources.files.map(\.lines)
  }

  /// The column of a position of a file, counted from 1 in UTF-16 code units.
  ///
  /// A position beyond the end of its line is as many columns beyond the end there.
  public func utf16Column(of position: SourcePosition, inFile file: Int) -> Int {
    guard lines.indices.contains(file), lines[file].indices.contains(position.line - 1) else {
      return position.column
    }
    var column = 1
    var scalars = position.column - 1
    for byte in sources.files[file].bytes[lines[file][position.line - 1]] {
      if UTF8Text.isContinuation(byte) { continue }
      if scalars == 0 { return column }
      scalars -= 1
      // Scalars of four bytes in UTF-8 are two code units in UTF-16.
      column += byte >= 0xF0 ? 2 : 1
    }
    return column + scalars
  }
}
