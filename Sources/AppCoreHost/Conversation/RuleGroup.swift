internal import AppCheck
internal import Manifest
internal import Navigation
internal import PluginHost
internal import Sessions
internal import Shell
public import Support

/// A group of rules on one subject, which explains the codes in messages about it.
///
/// `appcore explain`, `:explain` and `docs/problems.md` show the same texts.
public struct RuleGroup: Sendable {
  /// What the rules apply to, in one word, such as `manifests`.
  public let kind: String
  /// The heading of the group, such as `Problems in manifests`.
  public let heading: String
  /// What breaks one of the rules, such as `a problem in a manifest`.
  public let subject: String
  /// The rules, sorted by code.
  public let rules: [Rule]

  private init(_ kind: String, _ heading: String, _ subject: String, _ rules: [Rule]) {
    self.kind = kind
    self.heading = heading
    self.subject = subject
    self.rules = rules.sorted { $0.code < $1.code }
  }

  /// All groups, in the order of the documentation.
  public static let all = [
    RuleGroup(
      "manifests", "Problems in manifests", "a problem in a manifest",
      Rule.manifestRules + Rule.checkRules),
    RuleGroup(
      "plugins", "Plugins that can't be loaded", "a plugin that can't be loaded", Rule.pluginRules),
    RuleGroup(
      "locks", "Locks that are refused", "a lock that is refused",
      Rule.lockRules + Rule.signatureRules),
    RuleGroup(
      "interfaces", "Interface files that can't be used", "an interface file that can't be used",
      Rule.interfaceRules),
    RuleGroup(
      "bundles", "Bundles and archives that can't be made or used",
      "a bundle that can't be made or used", Rule.bundleRules),
    RuleGroup(
      "lines", "Lines that are refused", "a line that is refused", Rule.lineRules + Rule.answerRules
    ),
    RuleGroup(
      "links", "Links that are not opened", "a link that is not opened", Rule.linkRules),
    RuleGroup(
      "steps", "Steps that are refused or dropped", "a step that is refused or dropped",
      Rule.stepRules + Rule.eventRules),
    RuleGroup(
      "reloads", "Reloads that are refused", "a reload that is refused", Rule.reloadRules),
    RuleGroup(
      "timelines", "Steps that can't be shown", "a step that can't be shown", Rule.timelineRules),
    RuleGroup(
      "recordings", "Recordings that can't be read", "a recording that can't be read",
      Rule.recordingRules),
  ]

  /// The rules of all groups; of several with the same code, only the first.
  public static let rules: [Rule] = {
    var seen: Set<Rule> = []
    return all.flatMap(\.rules).filter { seen.insert($0).inserted }
  }()

  /// The remedy for a code of a running app; codes of manifests are not searched.
  static func remedy(of code: String) -> String? {
    all.dropFirst().lazy.flatMap(\.rules).first { $0.code == code }?.remedy
  }

  /// The meaning of a code, wrapped to 80 columns.
  ///
  /// - Parameter code: the code, with or without the brackets that messages put around it.
  /// - Returns: the meaning and remedy of each rule with the code, with a newline at the end.
  /// - Throws: a rejection that names the most similar code if no rule has this one.
  public static func text(of code: String) throws(Rejection) -> String {
    let name = withoutBrackets(code)
    let found = all.flatMap { explanation in
      explanation.rules.filter { $0.code == name }.map { (explanation.subject, $0) }
    }
    guard !found.isEmpty else { throw unknown(name) }
    return found.map { subject, rule in
      let texts = [rule.means, rule.remedy].map {
        TextLayout.wrap($0, to: 80).joined(separator: "\n")
      }
      return "\(rule.code): \(subject)\n\n" + texts.joined(separator: "\n\n") + "\n"
    }.joined(separator: "\n")
  }

  private static func unknown(_ code: String) -> Rejection {
    let codes = rules.map(\.code)
    // People remember the beginning of a long code, or one of its words.
    let nearest =
      NearestName.of(code, among: codes)
      ?? (code.count > 2 ? codes.first { $0.hasPrefix(code) || $0.contains("-" + code) } : nil)
    return Rejection(
      .noSuchCode,
      "there is no code '\(SafeText.line(code))'"
        + (nearest.map { "; did you mean '\($0)'?" } ?? "; 'appcore explain' lists all codes"))
  }

  /// A code without the brackets that messages put around it.
  static func withoutBrackets(_ code: String) -> String {
    var name = code.trimmingPrefix("[")
    if name.hasSuffix("]") { name = name.dropLast() }
    return String(name)
  }

  /// All codes with their summaries, under the headings of their groups.
  public static var list: String {
    all.map { explanation in
      let lines = explanation.rules.map { "  \($0.code)\n      \($0.summary)\n" }
      return "\(explanation.heading)\n" + lines.joined()
    }.joined(separator: "\n")
  }
}
