internal import AppCheck
internal import AppCoreHost
public import Diagnostics
internal import Lock
internal import Manifest
internal import Navigation
internal import PluginHost
internal import Shell
internal import Shipping
internal import Support
internal import Timeline

/// What the codes of messages mean: all rules, by what breaks them.
///
/// `appcore explain`, `:explain` and `docs/problems.md` show the same words.
public struct Explanation: Sendable {
  /// What breaks the rules, in one word.
  public let kind: String
  /// The same as a heading.
  public let heading: String
  /// The same of one rule.
  public let subject: String
  /// The rules, by code.
  public let rules: [Rule]

  private init(_ kind: String, _ heading: String, _ subject: String, _ rules: [Rule]) {
    self.kind = kind
    self.heading = heading
    self.subject = subject
    self.rules = rules.sorted { $0.code < $1.code }
  }

  /// All of them.
  public static let all = [
    Explanation(
      "manifests", "Problems in manifests", "a problem in a manifest",
      Rule.textRules + Rule.grammarRules + Rule.graphRules + Rule.featureRules
        + Rule.comparisonRules),
    Explanation(
      "plugins", "Plugins that can't be loaded", "a plugin that can't be loaded", Rule.pluginRules),
    Explanation(
      "locks", "Locks that are refused", "a lock that is refused",
      Rule.lockRules + Rule.signatureRules),
    Explanation(
      "interfaces", "Interface files that can't be used", "an interface file that can't be used",
      Rule.interfaceRules),
    Explanation(
      "bundles", "Bundles and archives that can't be made or used",
      "a bundle that can't be made or used", Rule.bundleRules),
    Explanation(
      "lines", "Lines that are refused", "a line that is refused", Rule.lineRules + Rule.answerRules
    ),
    Explanation(
      "links", "Links that are not opened", "a link that is not opened", Rule.linkRules),
    Explanation(
      "steps", "Steps that are refused or dropped", "a step that is refused or dropped",
      Rule.stepRules + Rule.eventRules),
    Explanation(
      "reloads", "Reloads that are refused", "a reload that is refused", Rule.reloadRules),
    Explanation(
      "timelines", "Steps that can't be shown", "a step that can't be shown", Rule.timelineRules),
    Explanation(
      "recordings", "Recordings that can't be read", "a recording that can't be read",
      Rule.recordingRules),
  ]

  /// The rules of all codes, each code once.
  public static let rules: [Rule] = {
    var seen: Set<Rule> = []
    return all.flatMap(\.rules).filter { seen.insert($0).inserted }
  }()

  /// What can be done about what was refused or dropped while an app runs.
  static func remedy(of code: String) -> String? {
    all.dropFirst().lazy.flatMap(\.rules).first { $0.code == code }?.remedy
  }

  /// What a code means, for a terminal.
  ///
  /// - Parameter code: the code; brackets around it, as in messages, do not count.
  /// - Returns: all meanings of the code, with a line break at the end.
  /// - Throws: ``UnknownCode``.
  public static func text(of code: String) throws(UnknownCode) -> String {
    var name = code[...]
    if name.hasPrefix("[") { name = name.dropFirst() }
    if name.hasSuffix("]") { name = name.dropLast() }
    let found = all.flatMap { explanation in
      explanation.rules.filter { $0.code == name }.map { (explanation.subject, $0) }
    }
    guard !found.isEmpty else { throw UnknownCode(code: String(name)) }
    return found.map { subject, rule in
      "\(rule.code): \(subject)\n\n" + fill(rule.means) + "\n" + fill(rule.remedy)
    }.joined(separator: "\n")
  }

  /// All codes with the first sentence of what they mean.
  public static var list: String {
    all.map { explanation in
      let lines = explanation.rules.map { "  \($0.code)\n      \($0.summary)\n" }
      return "\(explanation.heading)\n" + lines.joined()
    }.joined(separator: "\n")
  }

  /// A paragraph in lines of at most 80 columns.
  private static func fill(_ paragraph: String) -> String {
    var lines: [String] = []
    var line = ""
    for word in paragraph.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > 80 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return (lines + [line]).map { $0 + "\n" }.joined()
  }
}

/// A code that nothing has.
public struct UnknownCode: Error, CustomStringConvertible {
  /// The code as it was given.
  public let code: String

  public var description: String { "appcore: " + reason }

  /// What is wrong, and the nearest code.
  package var reason: String {
    let codes = Explanation.rules.map(\.code)
    // Of a long name the beginning, or one of its words, is what people remember.
    let nearest =
      NearestName.of(code, among: codes)
      ?? (code.count > 2 ? codes.first { $0.hasPrefix(code) || $0.contains("-" + code) } : nil)
    return "there is no code '\(SafeText.line(code))'"
      + (nearest.map { "; did you mean '\($0)'?" } ?? "; 'appcore explain' lists all codes")
  }
}
