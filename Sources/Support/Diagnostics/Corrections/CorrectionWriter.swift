/// Turns corrections into edits of the source text, and keeps the style of its quotes.
public struct CorrectionWriter: Sendable {
  private let sources: SourceMap
  private let tables: [LineTable]

  /// Creates a writer for problems in some files.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the files; an edit then costs no more than its
  ///   text.
  public init(_ sources: SourceMap) {
    self.sources = sources
    tables = sources.files.map { LineTable($0.bytes) }
  }

  /// The edits that correct a problem; empty if it has no correction, or if the source text is not
  /// the one that the correction replaces.
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

  /// The new text, quoted like the text that it replaces; `nil` if that is not the old text.
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
    guard let first = text.first, !"{[]},#&*!|>'\"%@`-?: ~".contains(first), text.last != " " else {
      return true
    }
    // YAML reads these as null, booleans and numbers.
    if ["null", "true", "false"].contains(text.lowercased()) || Double(text) != nil { return true }
    return text.contains { "{}[],".contains($0) } || text.firstRange(of: ": ") != nil
      || text.firstRange(of: " #") != nil || text.hasSuffix(":")
  }
}

extension CorrectionWriter {
  /// The text of a file with edits applied; an edit that overlaps an earlier one is skipped.
  ///
  /// - Returns: the text, and the edits that were applied, by position.
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
