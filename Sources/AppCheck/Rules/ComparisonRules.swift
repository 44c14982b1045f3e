package import Diagnostics

// What is remarkable about a plugin's other builds.
extension Rule {
  static let buildsDiffer = Rule(
    "builds-differ", .warning,
    means: "Another build of a plugin on the search path has the same version and another "
      + "interface, so that what the manifest was checked against depends on which one is found "
      + "first. The message has one of the differences. `appcore interface --compare` lists all of "
      + "them.",
    remedy: "Give the build whose interface has changed a version of its own, or remove the one "
      + "that is not meant.")

  /// These rules.
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
