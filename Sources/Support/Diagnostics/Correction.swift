/// A replacement for a mistake in a source text.
///
/// It includes the old text, so that nothing else is ever replaced: a text with escapes, or a file
/// that has changed since, is left alone.
public struct Correction: Hashable, Sendable {
  /// What is wrong, as YAML reads it.
  public let old: String
  /// What was probably meant.
  public let new: String
  /// Whether nothing else can have been meant, so that a program may apply it without asking.
  public let isCertain: Bool
  /// Whether both are literal source text, and not values that may be quoted.
  let isSource: Bool

  package init(_ old: String, _ new: String, isCertain: Bool = true, isSource: Bool = false) {
    self.old = old
    self.new = new
    self.isCertain = isCertain
    self.isSource = isSource
  }

  /// The correction to a suggested name; `nil` if none is suggested.
  package init?(_ old: String, _ suggestion: Suggestion?) {
    guard let suggestion else { return nil }
    self.init(old, suggestion.name, isCertain: suggestion.isCertain)
  }
}

/// A range of a text, and its replacement.
public struct TextEdit: Hashable, Sendable {
  /// The range to replace; empty if text is inserted.
  public let range: SourceRange
  /// The source text that replaces it.
  public let text: String
  package let bytes: Range<Int>
}

extension SourceMap {
  /// The edits that correct a problem, in the style of the quotes that are there.
  ///
  /// They are empty if the problem has no correction, or if the source text is not the one that the
  /// correction replaces.
  public func edits(of problem: Diagnostic) -> [TextEdit] {
    guard let correction = problem.correction else { return [] }
    let edits = problem.correctedRanges.compactMap { edit($0, correction) }
    return edits.count == problem.correctedRanges.count ? edits : []
  }

  private func edit(_ range: SourceRange, _ correction: Correction) -> TextEdit? {
    guard let file = file(of: range), let start = file.offset(of: range.start)?.byte,
      let end = file.offset(of: range.end)?.byte, start <= end,
      let text = correction.written(over: String(decoding: file.bytes[start..<end], as: UTF8.self))
    else { return nil }
    return TextEdit(range: range, text: text, bytes: start..<end)
  }

  /// The text of a file with edits applied; an edit that overlaps an earlier one is skipped.
  ///
  /// - Returns: the text, and the edits that were applied, by position.
  public func text(
    ofFile file: Int, with edits: some Sequence<TextEdit>
  ) -> (bytes: [UInt8], made: [TextEdit]) {
    let source = files[file].bytes
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

extension Correction {
  /// The new text, quoted like the text that it replaces; `nil` if that is not the old text.
  fileprivate func written(over text: String) -> String? {
    if text == old { return isSource || !Self.needsQuotes(new) ? new : Self.quoted(new) }
    switch text {
    case "\"\(old)\"": return Self.quoted(new)
    case "'\(old)'": return "'" + new.replacing("'", with: "''") + "'"
    default: return nil
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// Whether a text means something else to YAML without quotes.
  private static func needsQuotes(_ text: String) -> Bool {
    guard let first = text.first, !"{[]},#&*!|>'\"%@`-?: ~".contains(first), text.last != " " else {
      return true
    }
    // YAML reads these as null, booleans and numbers.
    if ["null", "true", "false"].contains(text.lowercased()) || Double(text) != nil { return true }
    return text.contains { "{}[],".contains($0) } || text.firstRange(of: ": ") != nil
      || text.firstRange(of: " #") != nil || text.hasSuffix(":")
  }
}

/// A name that was probably meant.
package struct Suggestion: Hashable, Sendable {
  package let name: String
  /// Whether the written name is at most one edit away from this one, and from no other.
  package var isCertain: Bool
  /// A note on a letter of the written name that only looks like one of this name.
  let oddLetter: String?

  package init(_ name: String, isCertain: Bool, oddLetter: String? = nil) {
    self.name = name
    self.isCertain = isCertain
    self.oddLetter = oddLetter
  }

  /// The question for a message: `did you mean 'name'?`.
  var question: String {
    "did you mean '\(Wording.printable(name))'?" + (oddLetter.map { " \($0)" } ?? "")
  }
}

/// Finds nearest names within a budget, so that a manifest full of mistakes costs no more than one
/// with a few.
package struct Suggestions {
  private var budget = 200_000
  /// Whether no name is found any more, so that it is not worth listing those to be searched.
  package var isSpent: Bool { budget <= 0 }

  package init() {}

  /// The nearest name; `nil` if none is close or the budget is spent.
  package mutating func nearest(
    to name: String, among names: some Collection<String>
  ) -> Suggestion? {
    guard !isSpent else { return nil }
    budget -= names.count
    guard let match = NearestName.match(name, among: names.sorted()) else { return nil }
    return Suggestion(
      match.name, isCertain: match.isOnly && match.slips <= 1,
      oddLetter: Wording.oddLetter(in: name, meaning: match.name))
  }
}
