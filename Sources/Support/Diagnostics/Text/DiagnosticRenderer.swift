/// Renders problems as compilers do: place, severity, message, code, source line, caret.
///
/// ```
/// packages.yaml:14:45: error: unknown node 'detial'; did you mean 'detail'? [unknown-node]
///   - { from: list, action: packageSelected, push: detial, with: { name: $.name } }
///                                                  ^
/// ```
public struct DiagnosticRenderer: Sendable {
  /// The files that the problems are in.
  public let sources: SourceMap

  /// The lines of each file.
  private let tables: [LineTable]

  /// Creates a renderer for problems in some files.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the files; a problem then costs no more than
  ///   its line.
  public init(sources: SourceMap) {
    self.sources = sources
    tables = sources.files.map { LineTable($0.bytes) }
  }

  /// One problem: its headline and the source line with a caret, then the same for its second
  /// place.
  ///
  /// There is no line break at the end.
  public func render(_ problem: Diagnostic) -> String {
    var text = headline(problem)
    text += excerpt(problem.range)
    if let related = problem.related {
      text += "\n\(place(related.range)): note: \(related.message)"
      text += excerpt(related.range)
    }
    return text
  }

  /// All problems, each ended by a line break.
  public func render(_ problems: [Diagnostic]) -> String {
    problems.map { render($0) + "\n" }.joined()
  }

  /// The first line alone: `path:line:column: severity: message [code]`.
  public func headline(_ problem: Diagnostic) -> String {
    "\(place(problem.range)): \(problem.severity.rawValue): \(problem.message) [\(problem.code)]"
  }

  private func place(_ range: SourceRange) -> String {
    Wording.printable(sources.description(of: range))
  }

  /// The source line and a caret below it, each after a line break.
  private func excerpt(_ range: SourceRange) -> String {
    guard tables.indices.contains(range.file), case let table = tables[range.file],
      let place = table.place(line: range.start.line, column: range.start.column)
    else { return "" }
    let line = sources.files[range.file].bytes[table.lines[range.start.line - 1]]
    let excerpt = Excerpt(line: line, marked: place.byte)
    return "\n\(excerpt.text)\n\(excerpt.caret)"
  }
}
