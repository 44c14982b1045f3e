/// The files of one manifest: the first, then the included ones in order of loading.
public struct SourceMap: Sendable {
  /// The files; a range's `file` is an index into them.
  public private(set) var files: [SourceFile] = []

  /// Creates a map without files.
  public init() {}

  /// The path of the file that a range is in; `?` for a range of another map.
  public func path(of range: SourceRange) -> String {
    files.indices.contains(range.file) ? files[range.file].path : "?"
  }

  /// The start of a range as `path:line:column`.
  public func description(of range: SourceRange) -> String {
    "\(path(of: range)):\(range.start.line):\(range.start.column)"
  }

  /// Adds a file and returns its index.
  package mutating func add(_ file: SourceFile) -> Int {
    files.append(file)
    return files.count - 1
  }
}

/// Converts columns in Unicode scalars, as problems have them, to columns in UTF-16 code units, as
/// editors and other tools count them.
public struct SourceColumns: Sendable {
  /// The lines of each file.
  private let tables: [LineTable]

  /// Creates a converter for positions in some files.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the files; a position then costs next to
  ///   nothing.
  public init(_ sources: SourceMap) {
    tables = sources.files.map { LineTable($0.bytes) }
  }

  /// The column of a position of a file, counted from 1 in UTF-16 code units.
  ///
  /// A position beyond the end of its line stays as many columns beyond the end.
  public func utf16Column(of position: SourcePosition, inFile file: Int) -> Int {
    guard tables.indices.contains(file),
      let place = tables[file].place(line: position.line, column: position.column)
    else { return position.column }
    return place.units + 1
  }
}
