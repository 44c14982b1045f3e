/// A requirement for a manifest, a plugin or a line, described in the ``RuleCatalogue`` of its module.
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

/// The rules of a module, from a Markdown file that describes them in groups.
///
/// ```
/// # Checks
///
/// ## unused-plugin (warning)
/// What is wrong if the rule is broken.
/// > What helps.
/// ```
///
/// A rule is an error unless its heading says otherwise, which may also say `leaves a gap`: see
/// ``Rule/leavesGap``.
package struct RuleCatalogue: Sendable {
  private var groups: [String: [Rule]] = [:]
  private var named: [String: Rule] = [:]

  /// Reads the file.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package init(_ markdown: [UInt8]) {
    var group = ""
    for section in String(decoding: markdown, as: UTF8.self).split(separator: "\n\n") {
      let lines = section.split(separator: "\n")
      let words = lines[0].split { " (),".contains($0) }.map(String.init)
      guard words[0] == "##" else {
        group = words[1]
        continue
      }
      func text(isRemedy: Bool) -> String {
        lines.dropFirst().filter { $0.hasPrefix("> ") == isRemedy }
          .map { $0.dropFirst(isRemedy ? 2 : 0) }.joined(separator: " ")
      }
      let rule = Rule(
        words[1], words.lazy.compactMap(Severity.init(rawValue:)).first ?? .error,
        leavesGap: words.contains("gap"), means: text(isRemedy: false),
        remedy: text(isRemedy: true))
      groups[group, default: []].append(rule)
      named[rule.code] = rule
    }
  }

  /// The rule with a code; a test holds the declarations of each module to its catalogue.
  package subscript(code: String) -> Rule {
    guard let rule = named[code] else { fatalError("no catalogue describes the rule '\(code)'") }
    return rule
  }

  /// The rules of some groups, in the order of the file.
  package func rules(of groups: String...) -> [Rule] { groups.flatMap { self.groups[$0] ?? [] } }
}

/// An enumeration whose cases are in ascending order.
public protocol RankedCases: CaseIterable, Comparable {}

extension RankedCases {
  /// - Complexity: O(*n*), where *n* is the number of cases.
  public static func < (left: Self, right: Self) -> Bool {
    allCases.first { $0 == left || $0 == right } == left && left != right
  }
}

public enum Severity: String, Hashable, Sendable, RankedCases {
  /// Printed; stops nothing.
  case note
  /// Printed; stops nothing.
  case warning
  /// The manifest can't run.
  case error
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
