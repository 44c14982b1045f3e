/// Renders problems as compilers do: place, severity, message, code, source line, caret.
///
/// ```
/// packages.yaml:14:45: error: unknown node 'detial'; did you mean 'detail'? [unknown-node]
///   - { from: list, action: packageSelected, push: detial, with: { name: $.name } }
///                                                  ^
/// ```
public struct DiagnosticRenderer: Sendable {
  private let sources: SourceMap

  public init(sources: SourceMap) { self.sources = sources }

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

  /// Scalars kept on either side of the caret in a long line.
  private static let reach = 60

  /// The source line, without control characters, and a caret below it, each after a line break.
  ///
  /// - Complexity: O(1), because only a part of a long line is shown.
  private func excerpt(_ range: SourceRange) -> String {
    guard let file = sources.file(of: range), let marked = file.offset(of: range.start)?.byte else {
      return ""
    }
    let line = file.bytes[file.lines[range.start.line - 1]]
    var (first, last) = (line.startIndex, line.endIndex)
    if line.count > 4 * Self.reach {
      first = Self.offset(from: marked, by: -Self.reach, in: line)
      last = Self.offset(from: marked, by: Self.reach, in: line)
    }
    var (text, caret) = first > line.startIndex ? ("…", " ") : ("", "")
    // Decoded in two parts, so that a character begins at the mark even within a grapheme.
    let before = String(decoding: line[first..<marked], as: UTF8.self)
    for character in before.map(Self.printable) {
      text.append(character)
      // Tabs are kept, so that the caret fits whatever the width of tabs.
      caret += character == "\t" ? "\t" : String(repeating: " ", count: DisplayWidth.of(character))
    }
    let after = String(decoding: line[marked..<last], as: UTF8.self)
    text += String(after.map(Self.printable))
    if last < line.endIndex { text += "…" }
    return "\n\(text)\n\(caret)^"
  }

  /// The offset of the byte that is `distance` scalars after `start`, or before it if negative.
  private static func offset(
    from start: Int, by distance: Int, in line: ArraySlice<UInt8>
  ) -> Int {
    var offset = start
    let step = distance.signum()
    for _ in 0..<abs(distance) {
      guard step > 0 ? offset < line.endIndex : offset > line.startIndex else { break }
      repeat {
        offset += step
      } while offset > line.startIndex && offset < line.endIndex
        && UTF8Text.isContinuation(line[offset])
    }
    return offset
  }

  private static func printable(_ character: Character) -> Character {
    if character == "\t" { return character }
    return character.unicodeScalars.allSatisfy(Wording.isPrintable) ? character : "\u{FFFD}"
  }
}
