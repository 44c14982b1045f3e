/// A requirement for a manifest, a plugin or a line; declared once, beside the code that reports
/// it.
///
/// `appcore explain`, SARIF's rules and `docs/problems.md` show it.
public struct Rule: Hashable, Sendable {
  /// One word in kebab case, such as `unknown-node`: what tools match on.
  public let code: String
  /// The severity of breaking it.
  public let severity: Severity
  /// What is wrong if the rule is broken; the first sentence is a summary.
  public let means: String
  /// What to do about it.
  public let remedy: String

  /// Creates a rule.
  public init(_ code: String, _ severity: Severity = .error, means: String, remedy: String) {
    self.code = code
    self.severity = severity
    self.means = means
    self.remedy = remedy
  }

  /// The same rule where it weighs more or less than it does as a rule.
  package func weighing(_ severity: Severity) -> Rule {
    Rule(code, severity, means: means, remedy: remedy)
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

/// A broken rule, with a message for the particular case.
///
/// A module declares its rules as static members of ``Rule``, and next to them their messages, as
/// static members of this type: `.unknownNode("detial", nearest: "detail", allowed: names)`.
public struct Finding: Hashable, Sendable {
  /// The rule.
  public let rule: Rule
  /// What is wrong, in one line.
  public let message: String
  /// Whether something is left out of the manifest because of it.
  public let leavesGap: Bool
  /// The name of the plugin that could not be loaded, if that is the problem.
  public let subject: String?
  /// What to write instead; `nil` if that is not known.
  public let correction: Correction.Change?

  /// Creates a finding.
  public init(
    _ rule: Rule, _ message: String, leavesGap: Bool = false, subject: String? = nil,
    correction: Correction.Change? = nil
  ) {
    self.rule = rule
    self.message = message
    self.leavesGap = leavesGap
    self.subject = subject
    self.correction = correction
  }

  /// The finding without its correction, if applying that would be another mistake.
  package var withoutCorrection: Finding {
    Finding(rule, message, leavesGap: leavesGap, subject: subject)
  }

  /// The finding where nothing is left out because of it.
  package var withoutGap: Finding {
    Finding(rule, message, subject: subject, correction: correction)
  }

  /// A text as messages quote it.
  package static func quote(_ text: String) -> String { "'\(Wording.printable(text))'" }
}
