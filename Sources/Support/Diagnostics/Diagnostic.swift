/// A broken rule with a message for the particular case, which has no place yet.
public struct DiagnosticMessage: Hashable, Sendable {
  public let rule: Rule
  /// What is wrong, in one line without place and code, with the remedy if there is one.
  public let text: String
  /// Whether something is left out of the manifest because of it.
  let leavesGap: Bool
  /// The name of the plugin that could not be loaded, if that is the problem.
  let plugin: String?
  /// What to write instead; `nil` if that is not known.
  let correction: Correction?

  /// Creates a message; unless `leavesGap` is given, the rule decides that.
  public init(
    _ rule: Rule, _ text: String, leavesGap: Bool? = nil, plugin: String? = nil,
    correction: Correction? = nil
  ) {
    self.rule = rule
    self.text = text
    self.leavesGap = leavesGap ?? rule.leavesGap
    self.plugin = plugin
    self.correction = correction
  }
}

/// A problem of a manifest or a plugin, with its location.
///
/// A ``DiagnosticRenderer`` adds path, line and caret. Diagnostics are ordered by position, and are
/// objects, so that they are cheap to move: a manifest may have a million of them, which are sorted
/// and filtered.
public final class Diagnostic: Error, Hashable, Sendable {
  private let finding: DiagnosticMessage
  public let range: SourceRange
  /// A second place that has to do with it, such as the first definition.
  public let related: Related?
  /// The ranges to correct; several if the same mistake was made several times.
  public let correctedRanges: [SourceRange]

  /// Creates a diagnostic for a range.
  ///
  /// The correction replaces the range, or `corrected` if that is another one, and the `others`,
  /// where the same mistake was made.
  public init(
    _ message: DiagnosticMessage, at range: SourceRange, related: Related? = nil,
    alsoAt others: [SourceRange] = [], correcting corrected: SourceRange? = nil
  ) {
    finding = message
    self.range = range
    self.related = related
    correctedRanges = message.correction == nil ? [] : [corrected ?? range] + others
  }

  public convenience init(
    _ rule: Rule, at range: SourceRange, _ text: String, correction: Correction? = nil,
    related: Related? = nil, alsoAt others: [SourceRange] = [],
    correcting corrected: SourceRange? = nil
  ) {
    self.init(
      DiagnosticMessage(rule, text, correction: correction), at: range, related: related,
      alsoAt: others, correcting: corrected)
  }

  /// What to write instead, at each of ``correctedRanges``; `nil` if that is not known.
  public var correction: Correction? { finding.correction }

  public var rule: Rule { finding.rule }

  /// The rule's code: what tools match on.
  public var code: String { rule.code }

  public var severity: Severity { rule.severity }

  /// What is wrong, in one line without place and code, with the remedy if there is one.
  public var message: String { finding.text }

  /// The name of the plugin that could not be loaded, if that is the problem.
  package var plugin: String? { finding.plugin }

  /// Whether something is left out of the manifest because of it: a key, a step, a whole route.
  ///
  /// Something that is missing may then have been left out, so no problem is reported for it.
  package var leavesGap: Bool { finding.leavesGap }

  public static func == (left: Diagnostic, right: Diagnostic) -> Bool {
    left === right
      || left.finding == right.finding && left.range == right.range
        && left.related == right.related && left.correctedRanges == right.correctedRanges
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(range)
    hasher.combine(finding)
  }

  /// A second place, and what is there.
  public struct Related: Hashable, Sendable {
    public let role: Role
    public let range: SourceRange

    public init(_ role: Role, at range: SourceRange) {
      self.role = role
      self.range = range
    }

    /// What is at the second place, in a few words.
    public var message: String { role.rawValue }
  }

  /// The relation of a second place to a problem.
  public enum Role: String, Hashable, Sendable {
    case firstDefinition = "first defined here"
    /// Where the broken collection or text begins.
    case beginning = "it begins here"
    case anchor = "the anchor is here"
    /// The other one of two things that exclude each other.
    case other = "the other one is here"
    case nodeDefinition = "the node is defined here"
    case closingInclude = "this include closes the circle"
    case value = "the value is here"
  }
}

extension Diagnostic: Comparable {
  public static func < (left: Diagnostic, right: Diagnostic) -> Bool {
    if left.range != right.range { return left.range < right.range }
    if left.code != right.code { return left.code < right.code }
    return left.message < right.message
  }
}

extension Sequence where Element == Diagnostic {
  /// The problems, sorted by position and without duplicates.
  public func sortedByPosition() -> [Diagnostic] {
    sorted().reduce(into: []) { unique, problem in
      if problem != unique.last { unique.append(problem) }
    }
  }

  /// Whether any of them stops a run.
  public var containsErrors: Bool { contains { $0.severity == .error } }
}

/// Something that collects problems while it reads or checks.
package protocol DiagnosticCollector {
  var problems: [Diagnostic] { get set }
}

extension DiagnosticCollector {
  /// Adds a problem: the rule that is broken, where, and a message for this case.
  package mutating func report(
    _ rule: Rule, at range: SourceRange, _ text: String, correction: Correction? = nil,
    related: Diagnostic.Related? = nil, alsoAt others: [SourceRange] = []
  ) {
    problems.append(
      Diagnostic(
        rule, at: range, text, correction: correction, related: related, alsoAt: others))
  }
}

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
        let listed = file.bytes[marker.upperBound..<end]
          .split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") }
          // What is no code begins a remark.
          .prefix {
            $0.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "-") }
          }
          .map { word in
            Located(
              String(decoding: word, as: UTF8.self),
              at: SourceRange(
                file: index, start: file.position(ofByte: word.startIndex),
                end: file.position(ofByte: word.endIndex)))
          }
        found[start.line] = Set(listed.map(\.value))
        words += listed
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
