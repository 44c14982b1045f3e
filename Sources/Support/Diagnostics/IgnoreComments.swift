/// The comments that silence warnings and notes on their line: `# appcore: ignore unused-plugin`.
///
/// Errors keep an app from running, whatever a comment says, so they can't be silenced.
public struct IgnoreComments: Sendable {
  /// The silenced codes, by file and line.
  private var codes: [[Int: Set<String>]] = []
  /// The words that stand for codes, with their places.
  package private(set) var words: [Located<String>] = []
  private static let marker = Array("# appcore: ignore ".utf8)

  /// Finds the comments of some files.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the files.
  public init(_ sources: SourceMap) {
    for (index, file) in sources.files.enumerated() {
      var found: [Int: Set<String>] = [:]
      var next = UTF8Text.range(of: Self.marker, in: file.bytes)
      while let marker = next {
        let start = file.position(ofByte: marker.upperBound)
        let end = file.lines[start.line - 1].upperBound
        next = UTF8Text.range(of: Self.marker, in: file.bytes, from: end)
        let text = String(decoding: file.bytes[marker.upperBound..<end], as: UTF8.self)
        // What is no code begins a remark.
        let listed = text.split { $0 == "," || $0 == " " }.prefix {
          $0.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "-") }
        }
        found[start.line] = Set(listed.map(String.init))
        for word in listed {
          let column = start.column + text[..<word.startIndex].unicodeScalars.count
          words.append(
            Located(
              String(word),
              at: SourceRange(
                file: index, start: SourcePosition(line: start.line, column: column),
                end: SourcePosition(line: start.line, column: column + word.count))))
        }
      }
      codes.append(found)
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
