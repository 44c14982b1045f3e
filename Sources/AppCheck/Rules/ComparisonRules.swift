internal import Manifest
internal import Navigation
internal import PluginHost
package import Support

// The rule about other builds of a plugin.
extension Rule {
  static let buildsDiffer = Rule(
    "builds-differ", .warning,
    means: "The search path has two builds of a plugin with the same version but different "
      + "interfaces, so the check depends on which is found first. The message shows one "
      + "difference; `appcore interface --compare` lists all.",
    remedy:
      "Give the build with the changed interface its own version, or remove the unwanted one.")

  static let unknownCode = Rule(
    "unknown-code", .warning,
    means: "A comment `# appcore: ignore` names a code that no rule has, so it ignores nothing.",
    remedy: "Correct the code; `appcore explain` lists all codes.")

  /// The rules about what is compared with a manifest: other builds of a plugin, and comments.
  package static let comparisonRules: [Rule] = [.buildsDiffer, .unknownCode]

  /// The rules that a manifest and its plugins can break.
  static let checkRules =
    textRules + grammarRules + graphRules + featureRules + comparisonRules + pluginRules + lockRules
    + signatureRules
}

extension IgnoreComments {
  /// The warnings about words that are no codes.
  var problems: [Diagnostic] {
    let codes = Rule.checkRules.map(\.code)
    let known = Set(codes)
    var suggestions = Suggestions()
    return words.filter { !known.contains($0.value) }.map { word in
      let nearest = suggestions.nearest(to: word.value, among: codes)
      return Diagnostic(.unknownCode(word.value, nearest: nearest), at: word.range)
    }
  }
}

extension Finding {
  static func unknownCode(_ code: String, nearest: Suggestion?) -> Finding {
    Finding(
      .unknownCode, "there is no code \(quote(code)) to ignore" + Wording.hint(nearest, []),
      correction: .init(code, nearest))
  }

  static func buildsDiffer(
    _ plugin: PluginInterface, other path: String, _ differences: [InterfaceDifference]
  ) -> Finding {
    let first = differences.first.map { ", in which \($0.subject) \($0.change)" } ?? ""
    let more = differences.count > 1 ? "; and \(differences.count - 1) more" : ""
    return Finding(
      .buildsDiffer,
      "\(quote(path)) is version \(Wording.printable(plugin.version)) of \(quote(plugin.name)) too, "
        + "and has another interface" + Wording.printable(first) + more)
  }
}
