/// Turns columns in Unicode scalars, as problems have them, into columns in UTF-16 code units, as
/// editors and other tools count them.
public struct SourceColumns: Sendable {
  /// The lines of each file.
  private let tables: [LineTable]

  /// Makes columns for positions in some files.
  ///
  /// - Complexity: O(bytes of the files), so that a position costs next to nothing.
  public init(_ sources: SourceMap) {
    tables = sources.files.map { LineTable($0.bytes) }
  }

  /// The column of a position of a file, counted from 1 in UTF-16 code units.
  ///
  /// A position beyond the end of its line is as many columns beyond the end there.
  public func utf16Column(of position: SourcePosition, inFile file: Int) -> Int {
    guard tables.indices.contains(file),
      let place = tables[file].place(line: position.line, column: position.column)
    else { return position.column }
    return place.units + 1
  }
}
