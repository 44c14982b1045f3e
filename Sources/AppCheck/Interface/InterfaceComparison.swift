internal import Support

/// The result of `appcore interface --compare` for two versions of a plugin's interface.
public struct InterfaceComparison: Sendable {
  package let old: PluginInterface
  package let new: PluginInterface
  /// The differences, in the order of the interface's text.
  public let differences: [InterfaceDifference]
  /// The part of the version that has to be raised.
  public let step: VersionStep
  /// The effect on an app's routes, if a manifest was given.
  public var impact: ManifestImpact?

  /// Compares two versions.
  public init(from old: PluginInterface, to new: PluginInterface) {
    self.old = old
    self.new = new
    differences = new.differences(from: old)
    step = VersionStep(for: differences)
  }

  /// 65 if something breaks, with a manifest only if the app breaks; otherwise 0.
  public var exitStatus: Int32 {
    let breaks = impact?.isBroken ?? differences.contains { $0.breaks != nil }
    return breaks ? 65 : 0
  }

  /// The comparison for people: a line for each difference, and the version that is suggested.
  public var text: String {
    var lines = ["\(old.name) \(old.version) → \(new.name) \(new.version)"]
    if differences.isEmpty { lines.append("  the interfaces are the same") }
    lines += differences.map { "  " + $0.text }
    lines.append(suggestion)
    lines += impact?.lines ?? []
    return lines.map { SafeText.line($0) + "\n" }.joined()
  }

  /// The suggested version in words, and whether the new one has it.
  private var suggestion: String {
    guard let next = step.next(after: old.version) else {
      return "version: '\(old.version)' is not three numbers, such as 1.4.0; the step is "
        + step.rawValue
    }
    let kind = old.version.hasPrefix("0.") ? "\(step.rawValue), before 1.0" : step.rawValue
    switch step.isSaid(by: new.version, after: old.version) {
    case true?: return "version: \(next) or later (\(kind)), which \(new.version) is"
    case false? where differences.isEmpty && new.version == old.version:
      return "version: \(next) (\(kind)) for a change of the code alone"
    case false?: return "version: \(next) or later (\(kind)), which \(new.version) is not"
    case nil:
      return "version: \(next) or later (\(kind)); '\(new.version)' is not three numbers"
    }
  }

  /// The comparison for programs; docs/interfaces.md says what each field means.
  public var json: String {
    let tree: JSONTree = [
      "comparison": .int(PluginInterface.format), "plugin": .string(old.name),
      "old": .string(old.version), "new": .string(new.version), "step": .string(step.rawValue),
      "suggested": JSONTree(step.next(after: old.version)),
      "differences": .array(
        differences.map { difference in
          [
            "subject": .string(difference.subject), "change": .string(difference.change),
            "breaks": JSONTree(difference.breaks),
          ]
        }),
    ]
    return (impact.map { tree.adding([("manifest", $0.tree)]) } ?? tree).text
  }
}
