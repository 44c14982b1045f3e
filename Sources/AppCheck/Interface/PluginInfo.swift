@_spi(Host) package import AppCore
package import Support

/// The description of a plugin, for checks, the editors' schema and `:plugins`.
///
/// The scanning process sends it to the host, which then checks manifests without loading the
/// plugin.
package struct PluginInfo: Hashable, Sendable {
  package let name: String
  package let version: String
  /// The shape of its configuration in a manifest.
  package let configuration: Schema
  package let features: [FeatureInfo]
  /// The shapes of the features' states, by the features' full names; only a scan finds them.
  package var states: [String: Schema]

  package init(
    name: String, version: String, configuration: Schema, features: [FeatureInfo],
    states: [String: Schema] = [:]
  ) {
    self.name = name
    self.version = version
    self.configuration = configuration
    self.features = features
    self.states = states
  }

  package init(_ plugin: LoadedPlugin) {
    self.init(
      name: plugin.name, version: plugin.version, configuration: plugin.configuration,
      features: plugin.features)
  }
}

// The form of a plugin's description: in the files of interfaces, between a scan and the host, and in
// the scans' cache.
extension PluginInfo {
  /// The version of the form in the cache; change it with the fields, so that old ones are not read.
  package static let form = "8"

  package var bytes: [UInt8] { Array(tree.text.utf8) }

  /// Decodes ``bytes``; `nil` if they are not in this form.
  package init?(bytes: ArraySlice<UInt8>) {
    guard let value = try? Value(json: Array(bytes)),
      let info = try? PluginInfo(value, ofScan: true)
    else { return nil }
    self = info
  }

  var tree: JSONTree {
    let tree: JSONTree = [
      "interface": .int(PluginInterface.format), "plugin": .string(name),
      "version": .string(version), "configuration": JSONTree(configuration),
      "features": .array(features.map { JSONTree($0) }),
    ]
    // The states of a plugin are its own: its interface does not have them.
    let states = states.sorted { $0.key < $1.key }.map { ($0.key, JSONTree($0.value)) }
    return states.isEmpty ? tree : tree.adding([("states", .object(states))])
  }
}

extension JSONTree {
  package init(_ feature: FeatureInfo) {
    let tree: JSONTree = [
      "name": .string(feature.name), "arguments": JSONTree(feature.arguments),
      "delegates": .array(feature.delegates.map { JSONTree($0) }),
      "inputs": .array(feature.inputs.map { JSONTree($0) }),
    ]
    self = feature.defect.map { tree.adding([("defect", .string($0))]) } ?? tree
  }

  package init(_ enumCase: CaseSchema) {
    self = [
      "name": .string(enumCase.name), "payload": enumCase.payload.map { JSONTree($0) } ?? .null,
    ]
  }

  /// The shape of a value: its kind under `type`, and what the kind has besides.
  package init(_ schema: Schema) {
    func made(_ type: String, _ name: String? = nil, _ value: JSONTree = .null) -> JSONTree {
      let tree: JSONTree = ["type": .string(type)]
      return name.map { tree.adding([($0, value)]) } ?? tree
    }
    self =
      switch schema {
      case .bool: made("bool")
      case .int: made("int")
      case .double: made("double")
      case .string: made("string")
      case .secret: made("secret")
      case .any: made("any")
      case .optional(let wrapped): made("optional", "of", JSONTree(wrapped))
      case .array(let element): made("array", "of", JSONTree(element))
      case .dictionary(let element): made("dictionary", "of", JSONTree(element))
      case .object(let fields):
        made(
          "object", "fields",
          .array(
            fields.map { field in
              let tree: JSONTree = [
                "name": .string(field.name), "schema": JSONTree(field.schema),
              ]
              return field.defaultValue.map { tree.adding([("default", .raw($0.json))]) } ?? tree
            }))
      case .choice(let names): made("choice", "values", JSONTree(names))
      case .variant(let cases):
        made("variant", "cases", .array(cases.map { JSONTree($0) }))
      case .recursive(let name): made("recursive", "name", .string(name))
      case .opaque(let name): made("opaque", "name", .string(name))
      @unknown default: made("opaque", "name", .string("\(schema)"))
      }
  }
}
