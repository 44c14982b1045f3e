public import Diagnostics
internal import Support

/// One thing wrong with a manifest or a plugin, located.
///
/// What is wrong is data, in ``Kind``; the wording lives in one place, ``message``. A
/// ``ProblemRenderer`` adds path, line and caret. Problems order by position.
public struct Problem: Error, Hashable, Sendable {
  /// What is wrong.
  public let kind: Kind

  /// Where.
  public let range: SourceRange

  /// A second place that has to do with it, such as the first definition.
  public let related: Related?

  /// Makes a problem.
  public init(_ kind: Kind, at range: SourceRange, related: Related? = nil) {
    self.kind = kind
    self.range = range
    self.related = related
  }

  /// Hashes place and code alone, which tell nearly all problems apart: a kind may hold all names
  /// of the manifest.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(range)
    hasher.combine(code)
  }

  /// A second place, and what is there.
  public struct Related: Hashable, Sendable {
    /// What is there.
    public let role: Role

    /// Where.
    public let range: SourceRange

    /// Makes a second place.
    public init(_ role: Role, at range: SourceRange) {
      self.role = role
      self.range = range
    }
  }

  /// What a second place has to do with a problem.
  public enum Role: Hashable, Sendable {
    /// The first definition of what is defined twice.
    case firstDefinition
    /// Where the broken collection or text begins.
    case beginning
    /// Where the anchor is.
    case anchor
    /// Where the other of two things that exclude each other stands.
    case other
    /// Where the node in question is defined.
    case nodeDefinition
    /// Where an include closes a circle.
    case closingInclude
    /// Where the value in question is written.
    case value
  }

  /// How much a problem weighs.
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
}

extension Problem: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
    if left.range != right.range { return left.range < right.range }
    if left.code != right.code { return left.code < right.code }
    return left.message < right.message
  }
}

extension Sequence where Element == Problem {
  /// The problems by position, each once.
  public func sortedByPosition() -> [Problem] {
    sorted().reduce(into: []) { unique, problem in
      if problem != unique.last { unique.append(problem) }
    }
  }

  /// Whether any of them stops a run.
  public var containsErrors: Bool { contains { $0.severity == .error } }

  /// Whether there are errors, and each is a plugin that can't be had: exit status 69, not 65.
  public var onlyPluginsAreMissing: Bool {
    var found = false
    for problem in self where problem.severity == .error {
      guard problem.isUnavailablePlugin else { return false }
      found = true
    }
    return found
  }
}
