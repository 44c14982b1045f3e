/// The comments that silence warnings and notes on their line: `# appcore: ignore unused-plugin`.
///
/// Errors keep an app from running, whatever a comment says, so they can't be silenced.
public struct IgnoreComments: Sendable {
  /// The silenced codes, by file and line.
  private var codes: [[Int: Set<String>]] = []

  private static let marker = Array("# appcore: ignore ".utf8)

  /// Finds the comments of some files.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the files.
  public init(_ sources: SourceMap) {
    codes = sources.files.map { file in
      var found: [Int: Set<String>] = [:]
      guard file.bytes.firstRange(of: Self.marker) != nil else { return found }
      for (number, line) in LineTable(file.bytes).lines.enumerated() {
        guard let marker = file.bytes[line].firstRange(of: Self.marker) else { continue }
        let text = String(decoding: file.bytes[marker.upperBound..<line.upperBound], as: UTF8.self)
        found[number + 1] = Set(text.split { $0 == "," || $0 == " " }.map(String.init))
      }
      return found
    }
  }

  /// Whether a comment silences a problem.
  public func silences(_ problem: Diagnostic) -> Bool {
    guard problem.severity < .error, codes.indices.contains(problem.range.file) else {
      return false
    }
    return codes[problem.range.file][problem.range.start.line]?.contains(problem.code) ?? false
  }
}
