@_spi(Host) package import AppCore
package import Support

/// A plugin's interface: all that manifests can rely on, whatever its build.
///
/// Two builds have the same interface, and the same text, if no manifest can tell them apart:
/// fields, cases and features are sorted by name.
public struct PluginInterface: Hashable, Sendable {
  /// The number of the form that ``json`` has.
  package static let format = 1

  package let info: PluginInfo

  public var name: String { info.name }
  public var version: String { info.version }

  package init(_ info: PluginInfo) {
    self.info = PluginInfo(
      name: info.name, version: info.version, configuration: info.configuration.sorted,
      features: info.features.map { feature in
        FeatureInfo(
          name: feature.name, arguments: feature.arguments.sorted,
          delegates: feature.delegates.sorted, inputs: feature.inputs.sorted,
          defect: feature.defect)
      }.sorted { $0.name < $1.name })
  }

  /// The interface for programs and for version control; docs/interfaces.md says what each field
  /// means.
  public var json: String { info.tree.text }

  /// The interface for people, one fact a line.
  public var text: String {
    var lines = ["plugin \(name) \(version)"]
    lines += Self.lines(of: info.configuration, "configuration")
    for feature in info.features {
      lines.append("feature \(feature.name)")
      if let defect = feature.defect { lines.append("\(feature.name) can't be used: \(defect)") }
      lines += Self.lines(of: feature.arguments, "\(feature.name) argument")
      for delegate in feature.delegates {
        lines += Self.lines(of: delegate, "\(feature.name) delegate")
      }
      for input in feature.inputs { lines += Self.lines(of: input, "\(feature.name) input") }
    }
    return lines.map { SafeText.line($0) + "\n" }.joined()
  }

  /// A line for each field, or one for a shape that is not an object.
  private static func lines(of schema: Schema, _ lead: String) -> [String] {
    guard case .object(let fields) = schema else { return ["\(lead): \(schema)"] }
    return fields.map { "\(lead) \(line(of: $0))" }
  }

  /// A line for the case, and one for each field of its payload.
  private static func lines(of enumCase: CaseSchema, _ lead: String) -> [String] {
    let lead = "\(lead) \(enumCase.name)"
    switch enumCase.payload {
    case nil: return [lead]
    case .object(let fields)?: return [lead] + fields.map { "\(lead).\(line(of: $0))" }
    case .some(let schema): return ["\(lead): \(schema)"]
    }
  }

  private static func line(of field: Schema.Field) -> String {
    "\(field.name): \(field.schema)" + (field.defaultValue.map { " = \($0.json)" } ?? "")
  }
}

extension Schema {
  /// The shape with its fields, cases and names sorted.
  var sorted: Schema {
    switch self {
    case .bool, .int, .double, .string, .secret, .any, .recursive, .opaque: self
    case .optional(let wrapped): .optional(wrapped.sorted)
    case .array(let element): .array(element.sorted)
    case .dictionary(let element): .dictionary(element.sorted)
    case .object(let fields):
      .object(
        fields.map {
          Field(name: $0.name, schema: $0.schema.sorted, defaultValue: $0.defaultValue)
        }.sorted { $0.name < $1.name })
    case .choice(let names): .choice(names.sorted())
    case .variant(let cases): .variant(cases.sorted)
    @unknown default: self
    }
  }
}

extension [CaseSchema] {
  fileprivate var sorted: [CaseSchema] {
    map { CaseSchema(name: $0.name, payload: $0.payload?.sorted) }.sorted { $0.name < $1.name }
  }
}

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
