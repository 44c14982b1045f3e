@_spi(Host) internal import AppCore
internal import Support

extension PluginInterface {
  /// The number of the form that ``json`` has.
  package static let format = 1

  /// The interface for programs and for version control; docs/interfaces.md says what each field
  /// means.
  public var json: String {
    let tree: JSONTree = [
      ("interface", .int(Self.format)), ("plugin", .string(name)), ("version", .string(version)),
      ("configuration", JSONTree(info.configuration)),
      ("features", .array(info.features.map(\.tree))),
    ].tree
    return tree.text
  }
}

extension FeatureInfo {
  fileprivate var tree: JSONTree {
    var fields: [(String, JSONTree)] = [
      ("name", .string(name)), ("arguments", JSONTree(arguments)),
      ("delegates", .array(delegates.map { JSONTree($0) })),
      ("inputs", .array(inputs.map { JSONTree($0) })),
    ]
    if let defect { fields.append(("defect", .string(defect))) }
    return fields.tree
  }
}
