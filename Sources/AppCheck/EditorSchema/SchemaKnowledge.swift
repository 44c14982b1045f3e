@_spi(Host) internal import AppCore
internal import Manifest
@_spi(Host) internal import Navigation
internal import Support

/// The part of a schema that is specific to one manifest: its nodes, and the features, delegate
/// actions, arguments and inputs of its plugins.
struct SchemaKnowledge {
  let title: String
  private let nodes: [(name: String, info: FeatureInfo?)]
  private let features: [FeatureInfo]
  private let configurations: [(plugin: String, schema: Schema)]
  /// Whether all plugins were loaded, so that an unknown name is an error.
  private let isComplete: Bool

  init(_ manifest: Manifest, catalog: FeatureCatalog) {
    title = manifest.title?.value ?? manifest.name?.value ?? "an app"
    var features: [FeatureInfo] = []
    var configurations: [(plugin: String, schema: Schema)] = []
    var isComplete = true
    for (plugin, description) in catalog.sorted(by: { $0.key < $1.key }) {
      guard case .available(let configuration, let known) = description else {
        isComplete = false
        continue
      }
      configurations.append((plugin, configuration))
      features += known
    }
    features.sort { $0.name < $1.name }
    let named = features.keyed(by: \.name)
    nodes = manifest.nodes.map { ($0.name.value, $0.feature.flatMap { named[$0.name] }) }
    self.features = features
    self.configurations = configurations
    self.isComplete = isComplete
  }

  /// The name of a node: the known ones, and any that may still be added.
  var nodeReference: JSONTree {
    ["anyOf": [["enum": JSONTree(nodes.map(\.name))], ["$ref": "#/$defs/nodeName"]]]
  }

  /// A feature's full name.
  var feature: JSONTree {
    let known: JSONTree = ["enum": JSONTree(features.map(\.name))]
    if isComplete { return known }
    return ["anyOf": [known, ["type": "string", "pattern": .string(Grammar.featurePattern)]]]
  }

  /// A delegate action of any feature.
  var action: JSONTree {
    let names = Set(features.flatMap { $0.delegates.map(\.name) }).sorted()
    let known: JSONTree = ["enum": JSONTree(names)]
    return isComplete ? known : ["anyOf": [known, ["type": "string", "minLength": 1]]]
  }

  /// The arguments of each feature and the configuration of each plugin.
  var definitions: [(name: String, value: JSONTree)] {
    features.map { ("\($0.name).arguments", Self.supplied($0.arguments)) }
      + configurations.map { ("\($0.plugin).configuration", Self.supplied($0.schema)) }
      + [("known", ["allOf": .array(stepRules)])]
  }

  var nodeRules: [JSONTree] {
    features.map { Self.rule(if: [("feature", $0.name)], with: "\($0.name).arguments") }
  }

  var pluginRules: [JSONTree] {
    configurations.map { Self.rule(if: [("name", $0.plugin)], with: "\($0.plugin).configuration") }
  }

  /// For each node, the delegate actions of its feature.
  var routeRules: [JSONTree] {
    nodes.compactMap { node in
      guard let info = node.info else { return nil }
      let names: JSONTree = ["enum": JSONTree(info.delegates.map(\.name))]
      return Self.rule(
        if: [("from", node.name)],
        then: [("action", ["anyOf": [names, ["type": "array", "items": names]]])])
    }
  }

  /// For each target, the schema of a verb's arguments.
  private var stepRules: [JSONTree] {
    let entering = [Verb.push, .present, .replace, .reset]
    return nodes.flatMap { node -> [JSONTree] in
      guard let info = node.info else { return [] }
      let arguments = entering.map { verb in
        Self.rule(if: [(verb.rawValue, node.name)], with: "\(info.name).arguments")
      }
      let inputs = Self.rule(
        if: [("notify", node.name)],
        then: [("as", ["enum": JSONTree(info.inputs.map(\.name))])])
      let payloads = info.inputs.map { input in
        Self.rule(
          if: [("notify", node.name), ("as", input.name)],
          then: [("with", input.payload.map(Self.supplied) ?? Self.anyValue)])
      }
      return arguments + [inputs] + payloads
    }
  }

  private static func rule(if keys: [(String, String)], with definition: String) -> JSONTree {
    rule(if: keys, then: [("with", ["$ref": .string("#/$defs/\(definition)")])])
  }

  private static func rule(
    if keys: [(String, String)], then properties: [(name: String, value: JSONTree)]
  ) -> JSONTree {
    [
      "if": [
        "properties": .object(keys.map { ($0, ["const": .string($1)]) }),
        "required": JSONTree(keys.map(\.0)),
      ],
      "then": ["properties": .object(properties)],
    ]
  }

  /// The schema of a value of a shape: a literal, or a reference.
  ///
  /// No field is required: the node, the route and the feature's own defaults share the work.
  static func supplied(_ schema: Schema) -> JSONTree {
    switch schema {
    case .bool: orReference(["type": "boolean"])
    case .int: orReference(["type": "integer"])
    case .double: orReference(["type": "number"])
    case .string, .secret: ["$ref": "#/$defs/text"]
    case .optional(let wrapped): ["anyOf": [["type": "null"], supplied(wrapped)]]
    case .array(let element): orReference(["type": "array", "items": supplied(element)])
    case .dictionary(let element):
      orReference(["type": "object", "additionalProperties": supplied(element)])
    case .object(let fields):
      orReference([
        "type": "object", "properties": .object(fields.map(property)),
        "additionalProperties": false,
      ])
    case .choice(let names):
      ["anyOf": [["enum": JSONTree(names)], ["type": "string", "pattern": "\\$"]]]
    case .variant, .any, .recursive, .opaque: anyValue
    @unknown default: anyValue
    }
  }

  /// Any value; the types are listed because editors report an empty schema as a mistake.
  private static let anyValue: JSONTree = [
    "type": ["null", "boolean", "number", "string", "array", "object"]
  ]

  private static func property(_ field: Schema.Field) -> (name: String, value: JSONTree) {
    var tree = supplied(field.schema)
    tree = tree.adding([
      ("description", .string("\(field.schema)" + (field.isRequired ? ", required" : "")))
    ])
    if let value = field.defaultValue { tree = tree.adding([("default", .raw(value.json))]) }
    return (field.name, tree)
  }

  private static func orReference(_ schema: JSONTree) -> JSONTree {
    ["anyOf": [schema, ["$ref": "#/$defs/reference"]]]
  }
}
