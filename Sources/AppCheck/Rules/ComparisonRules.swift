package import Diagnostics

// The rule about other builds of a plugin.
extension Rule {
  static let buildsDiffer = Rule(
    "builds-differ", .warning,
    means: "The search path has two builds of a plugin with the same version but different "
      + "interfaces, so the check depends on which is found first. The message shows one "
      + "difference; `appcore interface --compare` lists all.",
    remedy:
      "Give the build with the changed interface its own version, or remove the unwanted one.")

  /// The rules about other builds of a plugin.
  package static let comparisonRules: [Rule] = [.buildsDiffer]
}

extension Finding {
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
