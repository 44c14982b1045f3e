/// The files of one manifest: the first, then the included ones in order of loading.
public struct SourceMap: Sendable {
  /// The files; a range's `file` is an index into them.
  public private(set) var files: [SourceFile] = []

  /// Makes a map without files.
  public init() {}

  /// The path of the file that a range stands in; `?` for a range of another map.
  public func path(of range: SourceRange) -> String {
    files.indices.contains(range.file) ? files[range.file].path : "?"
  }

  /// `path:line:column` of a range's beginning.
  public func description(of range: SourceRange) -> String {
    "\(path(of: range)):\(range.start.line):\(range.start.column)"
  }

  /// Adds a file and returns its index.
  package mutating func add(_ file: SourceFile) -> Int {
    files.append(file)
    return files.count - 1
  }
}
