/// A requirement for a manifest, a plugin or a line, declared once in the catalogue of its module.
///
/// `appcore explain`, SARIF's rules and `docs/problems.md` show it. The message of a breach is
/// written where the breach is reported.
public struct Rule: Hashable, Sendable {
  /// One word in kebab case, such as `unknown-node`: what tools match on.
  public let code: String
  public let severity: Severity
  /// Whether a breach leaves something out of the manifest: a key, a step, a whole route.
  package let leavesGap: Bool
  /// What is wrong if the rule is broken; the first sentence is a summary.
  public let means: String
  public let remedy: String

  public init(
    _ code: String, _ severity: Severity = .error, leavesGap: Bool = false, means: String,
    remedy: String
  ) {
    self.code = code
    self.severity = severity
    self.leavesGap = leavesGap
    self.means = means
    self.remedy = remedy
  }

  /// The same rule where it weighs more or less than it does as a rule.
  package func weighing(_ severity: Severity) -> Rule {
    Rule(code, severity, leavesGap: leavesGap, means: means, remedy: remedy)
  }

  /// The first sentence of ``means``.
  public var summary: String {
    guard let end = means.firstRange(of: ". ") else { return means }
    return String(means[..<end.lowerBound]) + "."
  }

  /// The remedy as it follows `help:`, in lower case and without a full stop.
  var help: String {
    let sentence = remedy.hasSuffix(".") ? remedy.dropLast() : remedy[...]
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
  }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Printed; stops nothing.
  case note
  /// Printed; stops nothing.
  case warning
  /// The manifest can't run.
  case error

  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int { self == .error ? 2 : self == .warning ? 1 : 0 }
}

/// A rule that is broken by something without a place in a manifest: a line, a link, a step, a
/// plugin.
///
/// The request was not carried out, and nothing has changed.
public struct Rejection: Error, Hashable, Sendable, CustomStringConvertible {
  public let rule: Rule
  /// What is wrong, in one line.
  public let message: String
  /// Further lines of the message, such as both sides of a mismatch, or all paths that were tried.
  public let details: [String]
  /// What to do about it, without a full stop.
  public let remedy: String

  /// Creates a rejection, by default with the rule's remedy.
  public init(_ rule: Rule, _ message: String, details: [String] = [], remedy: String? = nil) {
    self.rule = rule
    self.message = message
    self.details = details
    self.remedy = remedy ?? rule.help
  }

  /// The rule's code: what programs match on.
  public var code: String { rule.code }

  public var description: String { "\(message) [\(code)]" }
}
