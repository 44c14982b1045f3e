/// A problem of a manifest or a plugin, with its location.
///
/// A ``DiagnosticRenderer`` adds path, line and caret. Diagnostics are ordered by position.
public struct Diagnostic: Error, Hashable, Sendable {
  /// The contents, in one object, so that diagnostics are cheap to move: a manifest may have a
  /// million of them, which are sorted and filtered.
  private final class Content: Sendable {
    let finding: Finding
    let range: SourceRange
    let related: Related?
    let others: [SourceRange]
    let corrected: SourceRange?

    init(
      _ finding: Finding, _ range: SourceRange, _ related: Related?, _ others: [SourceRange],
      _ corrected: SourceRange?
    ) {
      self.finding = finding
      self.range = range
      self.related = related
      self.others = others
      self.corrected = corrected
    }
  }

  private let content: Content

  /// Creates a diagnostic.
  ///
  /// - Parameters:
  ///   - finding: what is wrong.
  ///   - range: where it is wrong.
  ///   - related: a second place that has to do with it.
  ///   - others: where else the same mistake was made.
  ///   - corrected: the range to replace, if that is not `range` itself.
  public init(
    _ finding: Finding, at range: SourceRange, related: Related? = nil,
    alsoAt others: [SourceRange] = [], correcting corrected: SourceRange? = nil
  ) {
    content = Content(finding, range, related, others, corrected)
  }

  /// What is wrong.
  public var finding: Finding { content.finding }

  /// The range of the mistake.
  public var range: SourceRange { content.range }

  /// A second place that has to do with it, such as the first definition.
  public var related: Related? { content.related }

  /// What to write instead; `nil` if that is not known.
  public var correction: Correction? {
    finding.correction.map {
      Correction(places: [content.corrected ?? range] + content.others, change: $0)
    }
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.content === right.content
      || left.finding == right.finding && left.range == right.range && left.related == right.related
        && left.correction == right.correction
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(range)
    hasher.combine(finding)
  }

  /// The rule that is broken.
  public var rule: Rule { finding.rule }

  /// The rule's code: what tools match on.
  public var code: String { rule.code }

  /// The rule's severity.
  public var severity: Severity { rule.severity }

  /// What is wrong, in one line without place and code, with the remedy if there is one.
  public var message: String { finding.message }

  /// Whether something is left out of the manifest because of it: a key, a step, a whole route.
  ///
  /// Something that is missing may then have been left out, so no problem is reported for it.
  public var leavesGap: Bool { finding.leavesGap }

  /// A second place, and what is there.
  public struct Related: Hashable, Sendable {
    /// What is there.
    public let role: Role

    /// The range of the second place.
    public let range: SourceRange

    /// Creates a second place.
    public init(_ role: Role, at range: SourceRange) {
      self.role = role
      self.range = range
    }
  }

  /// The relation of a second place to a problem.
  public enum Role: Hashable, Sendable {
    /// The first definition of something that is defined twice.
    case firstDefinition
    /// Where the broken collection or text begins.
    case beginning
    /// Where the anchor is.
    case anchor
    /// The other one of two things that exclude each other.
    case other
    /// Where the node in question is defined.
    case nodeDefinition
    /// Where an include closes a circle.
    case closingInclude
    /// Where the value in question is written.
    case value
  }
}

/// The severity of a diagnostic.
public enum Severity: String, Hashable, Sendable, Comparable {
  /// Printed; stops nothing.
  case note
  /// Printed; stops nothing.
  case warning
  /// The manifest can't run.
  case error

  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

extension Diagnostic: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
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

extension Diagnostic.Related {
  /// What is at the second place, in a few words.
  public var message: String {
    switch role {
    case .firstDefinition: "first defined here"
    case .beginning: "it begins here"
    case .anchor: "the anchor is here"
    case .other: "the other one is here"
    case .nodeDefinition: "the node is defined here"
    case .closingInclude: "this include closes the circle"
    case .value: "the value is here"
    }
  }
}
