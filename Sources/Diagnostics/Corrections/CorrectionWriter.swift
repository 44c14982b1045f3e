/// Turns corrections into edits of the source text, in the style of quotes that is there.
public struct CorrectionWriter: Sendable {
  private let sources: SourceMap
  private let tables: [LineTable]

  /// Creates a writer for problems in some files.
  ///
  /// - Complexity: O(bytes of the files), so that an edit costs no more than its text.
  public init(_ sources: SourceMap) {
    self.sources = sources
    tables = sources.files.map { LineTable($0.bytes) }
  }

  /// The edits that correct a problem; none where it has no correction, or where the text is not what
  /// the correction is for.
  public func edits(of problem: Diagnostic) -> [TextEdit] {
    guard let correction = problem.correction else { return [] }
    let edits = correction.places.compactMap { edit($0, correction.change) }
    return edits.count == correction.places.count ? edits : []
  }

  private func edit(_ range: SourceRange, _ change: Correction.Change) -> TextEdit? {
    guard tables.indices.contains(range.file),
      let start = byte(at: range.start, range.file), let end = byte(at: range.end, range.file),
      start <= end
    else { return nil }
    let bytes = sources.files[range.file].bytes[start..<end]
    guard let text = Self.written(change, over: String(decoding: bytes, as: UTF8.self)) else {
      return nil
    }
    return TextEdit(range: range, text: text, bytes: start..<end)
  }

  private func byte(at position: SourcePosition, _ file: Int) -> Int? {
    tables[file].place(line: position.line, column: position.column)?.byte
  }

  /// The new text as it is to be written over what is there; `nil` where that is something else.
  private static func written(_ change: Correction.Change, over text: String) -> String? {
    if text == change.old {
      return change.isSource || !needsQuotes(change.new) ? change.new : quoted(change.new)
    }
    switch text {
    case "\"\(change.old)\"": return quoted(change.new)
    case "'\(change.old)'":
      return "'"
        + change.new.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "''") + "'"
    default: return nil
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text {
      if character == "\"" || character == "\\" { result += "\\" }
      result.append(character)
    }
    return result + "\""
  }

  /// Whether a text means something else to YAML without quotes.
  static func needsQuotes(_ text: String) -> Bool {
    guard let first = text.first, !"{[]},#&*!|>'\"%@`-?: ".contains(first), text.last != " " else {
      return true
    }
    return text.contains { "{}[],".contains($0) } || text.firstRange(of: ": ") != nil
      || text.firstRange(of: " #") != nil || text.hasSuffix(":")
  }
}

extension CorrectionWriter {
  /// The text of a file with edits made, none of which overlaps one before it.
  ///
  /// - Returns: the text, and the edits that were made, by position.
  public func text(
    ofFile file: Int, with edits: some Sequence<TextEdit>
  ) -> (bytes: [UInt8], made: [TextEdit]) {
    let source = sources.files[file].bytes
    var result: [UInt8] = []
    var made: [TextEdit] = []
    var offset = 0
    for edit in edits.filter({ $0.range.file == file }).sorted(by: { $0.range < $1.range })
    where edit.bytes.lowerBound >= offset && edit != made.last {
      result += source[offset..<edit.bytes.lowerBound]
      result += Array(edit.text.utf8)
      offset = edit.bytes.upperBound
      made.append(edit)
    }
    return (result + source[offset...], made)
  }
}
