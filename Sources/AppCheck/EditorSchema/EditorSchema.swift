internal import Manifest
internal import Navigation
package import Support

/// The JSON Schema (2020-12) of manifests: what editors complete, explain and underline.
///
/// Its keys and words come from ``Grammar``, from which the reader takes them too. What a schema
/// can't say, such as that a node is defined, is left to `appcore check`.
struct EditorSchema {
  /// The names and features of one manifest; `nil` for the schema of the format alone.
  let knowledge: SchemaKnowledge?

  var tree: JSONTree {
    let root: JSONTree = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": .string("appcore manifest" + (knowledge.map { " for \($0.title)" } ?? "")),
      "description":
        "Plugins give features, nodes bind features, routes say what each delegate action does.",
    ]
    return root.adding(object(.manifest).fields)
      .adding([
        ("patternProperties", ["^x-": ["description": "Ignored: a home for anchors."]]),
        ("$defs", .object(definitions)),
      ])
  }

  private var definitions: [(name: String, value: JSONTree)] {
    var definitions: [(name: String, value: JSONTree)] = [
      ("text", ["type": ["string", "number", "boolean"]]),
      (
        "nodeName",
        [
          "type": "string", "pattern": .string(Grammar.nodeNamePattern),
          "not": ["enum": JSONTree(Grammar.reservedNames)],
        ]
      ),
      ("nodeReference", knowledge?.nodeReference ?? ["$ref": "#/$defs/nodeName"]),
      ("action", knowledge?.action ?? ["type": "string", "minLength": 1]),
      ("reference", ["type": "string", "pattern": .string(Grammar.referencePattern)]),
      ("variable", object(.variable)),
      ("plugin", constrained(object(.plugin, Self.pluginShapes), oneOf: ["name", "path"])),
      ("node", constrained(object(.node), oneOf: ["feature", "tabs"])),
      ("nodeUse", object(.nodeUse)),
      ("doStep", doStep),
      ("step", stepRules(object(.step), verbs: Self.targetVerbs)),
      ("linkStep", stepRules(object(.step), verbs: Grammar.linkVerbs)),
      ("route", stepRules(object(.route), verbs: Self.targetVerbs, orDo: true)),
      ("link", object(.link)),
    ]
    if let knowledge { definitions += knowledge.definitions }
    return definitions
  }

  static let targetVerbs = Verb.allCases.filter(\.takesTarget)

  /// A map with the keys of a place of the grammar, and no others; `own` are the shapes of keys that
  /// mean something else there.
  private func object(_ place: Grammar, _ own: [String: JSONTree] = [:]) -> JSONTree {
    var tree: JSONTree = ["type": "object"]
    if !place.required.isEmpty { tree = tree.adding([("required", JSONTree(place.required))]) }
    let properties = place.keys.map { key in
      let schema = own[key.name] ?? shape(of: key.name)
      return (name: key.name, value: schema.adding([("description", .string(key.summary))]))
    }
    return tree.adding([("properties", .object(properties)), ("additionalProperties", false)])
  }

  /// A map with exactly one of several keys, and other constraints.
  private func constrained(_ tree: JSONTree, oneOf keys: [String]) -> JSONTree {
    var tree = tree.adding([("oneOf", .array(keys.map { ["required": [.string($0)]] }))])
    if keys.contains("tabs") {
      tree = tree.adding([("dependentRequired", ["background": ["tabs"]])])
    }
    let rules = (keys.contains("tabs") ? knowledge?.nodeRules : knowledge?.pluginRules) ?? []
    return rules.isEmpty ? tree : tree.adding([("allOf", .array(rules))])
  }
}

// The schemas of the keys; a test checks that each key of the grammar has one.
extension EditorSchema {
  private func shape(of key: String) -> JSONTree {
    switch key {
    case "appcore": ["const": 1]
    case "name", "title": ["$ref": "#/$defs/text"]
    case "version": ["type": ["string", "number"], "pattern": "^[0-9]+(\\.[0-9]+)*$"]
    case "requires": object(.requirements, ["appcore": Self.versionRequirement])
    case "vars":
      [
        "type": "object",
        "propertyNames": ["pattern": "^[A-Za-z_\\u0080-\\uFFFF][A-Za-z0-9_\\u0080-\\uFFFF-]*$"],
        "additionalProperties": ["$ref": "#/$defs/variable"],
      ]
    case "include": ["type": "array", "items": ["$ref": "#/$defs/text"]]
    case "plugins":
      [
        "type": "array",
        "items": [
          "anyOf": [
            ["type": "string", "pattern": .string(Grammar.pluginPattern)],
            ["$ref": "#/$defs/plugin"],
          ]
        ],
      ]
    case "nodes":
      [
        "type": "object", "propertyNames": ["$ref": "#/$defs/nodeName"],
        "additionalProperties": ["$ref": "#/$defs/node"],
      ]
    case "background": Self.uses
    case "routes": ["type": "array", "items": ["$ref": "#/$defs/route"]]
    case "links": ["type": "array", "items": ["$ref": "#/$defs/link"]]
    case "session": object(.session)
    case "keep": ["enum": JSONTree(Manifest.Keeping.allCases.map(\.rawValue))]
    case "display": ["enum": JSONTree(Manifest.Display.allCases.map(\.rawValue))]
    case "commands": ["enum": JSONTree(Manifest.Commands.allCases.map(\.rawValue))]
    case "default", "with": Self.anyValue
    case "env": ["type": "string", "pattern": "^[^=\\x00]+$"]
    case "load": ["enum": JSONTree(Manifest.Plugin.Loading.allCases.map(\.rawValue))]
    case "feature":
      knowledge?.feature ?? ["type": "string", "pattern": .string(Grammar.featurePattern)]
    case "tabs": Self.uses.adding([("minItems", 1), ("uniqueItems", true)])
    case "maxDepth": ["type": "integer", "minimum": 1]
    case "was": ["anyOf": [["$ref": "#/$defs/nodeName"], Self.list(of: "nodeName")]]
    case "from":
      [
        "anyOf": [
          ["const": "any", "description": "Every node whose feature has the delegate action."],
          ["$ref": "#/$defs/nodeReference"],
          Self.list(of: "nodeReference"),
        ]
      ]
    case "action": ["anyOf": [["$ref": "#/$defs/action"], Self.list(of: "action")]]
    case "do":
      [
        "anyOf": [
          ["$ref": "#/$defs/doStep"],
          ["type": "array", "minItems": 1, "items": ["$ref": "#/$defs/doStep"]],
        ]
      ]
    case "popTo":
      [
        "anyOf": [
          ["const": "root", "description": "The first of the stack."],
          ["$ref": "#/$defs/nodeReference"],
        ]
      ]
    case "notify":
      ["anyOf": [["enum": JSONTree(Grammar.receivers)], ["$ref": "#/$defs/nodeReference"]]]
    case "start", "node", "push", "present", "replace", "select", "reset", "needs":
      ["$ref": "#/$defs/nodeReference"]
    case "as": ["type": "string", "minLength": 1]
    case "inclusive", "singleTop", "toAll": ["type": "boolean"]
    case "ifCovered": ["enum": JSONTree(Manifest.Step.CoveredPolicy.allCases.map(\.rawValue))]
    case "path": ["type": ["string", "number", "boolean"], "minLength": 1, "pattern": "^[^/]"]
    case "open":
      [
        "type": "array", "minItems": 1,
        "items": ["anyOf": [["$ref": "#/$defs/nodeReference"], ["$ref": "#/$defs/linkStep"]]],
      ]
    default: [:]
    }
  }

  private static let pluginShapes: [String: JSONTree] = [
    "name": ["type": "string", "pattern": .string(Grammar.pluginPattern)],
    "path": ["$ref": "#/$defs/text"],
    "version": versionRequirement,
  ]

  private static let uses: JSONTree = [
    "type": "array",
    "items": ["anyOf": [["$ref": "#/$defs/nodeReference"], ["$ref": "#/$defs/nodeUse"]]],
  ]

  /// Any value; the types are listed because editors report an empty schema as a mistake.
  static let anyValue: JSONTree = [
    "type": ["null", "boolean", "number", "string", "array", "object"]
  ]

  private static let versionRequirement: JSONTree = [
    "type": ["string", "number"],
    "pattern": "^ *([<>]=?|=)?[0-9]+(\\.[0-9]+)*( +([<>]=?|=)?[0-9]+(\\.[0-9]+)*)* *$",
  ]

  private static func list(of definition: String) -> JSONTree {
    [
      "type": "array", "minItems": 1, "uniqueItems": true,
      "items": ["$ref": .string("#/$defs/\(definition)")],
    ]
  }

  private var doStep: JSONTree {
    let words = Verb.allCases.filter { !$0.takesTarget }.map { verb -> JSONTree in
      ["const": .string(verb.rawValue), "description": .string(Grammar.summary(of: verb))]
    }
    return ["anyOf": .array(words + [["$ref": "#/$defs/step"]])]
  }

  /// One verb with its options and the known targets.
  private func stepRules(_ tree: JSONTree, verbs: [Verb], orDo: Bool = false) -> JSONTree {
    let keys = verbs.map(\.rawValue) + (orDo ? ["do"] : [])
    var rules = optionRules
    if knowledge != nil { rules.append(["$ref": "#/$defs/known"]) }
    if orDo { rules += knowledge?.routeRules ?? [] }
    return tree.adding([
      ("oneOf", .array(keys.map { ["required": [.string($0)]] })), ("allOf", .array(rules)),
    ])
  }

  /// The verbs that each option is allowed with.
  private var optionRules: [JSONTree] {
    let options = Self.targetVerbs.flatMap { Grammar.options(of: $0) }
    var seen: Set<String> = []
    return options.filter { seen.insert($0).inserted }.map { option in
      let owners = Self.targetVerbs.filter { Grammar.options(of: $0).contains(option) }
      return [
        "if": ["required": [.string(option)]],
        "then": ["anyOf": .array(owners.map { ["required": [.string($0.rawValue)]] })],
      ]
    }
  }
}

extension JSONTree {
  /// The fields of an object; none of anything else.
  package var fields: [(name: String, value: JSONTree)] {
    if case .object(let fields) = self { fields } else { [] }
  }
}

extension ManifestReport {
  /// The JSON Schema of the format, as `schema/appcore-1.json` is.
  public static var schemaOfFormat: String { EditorSchema(knowledge: nil).tree.text }

  /// The JSON Schema for this manifest, which knows its nodes and the features of its plugins.
  ///
  /// `nil` where the manifest can't be read. Plugins that can't be loaded are left out, see
  /// ``unavailablePlugins``.
  public var schema: String? {
    manifest.map {
      EditorSchema(knowledge: SchemaKnowledge($0, catalog: plugins.catalog)).tree.text
    }
  }

  /// The names of the plugins that can't be loaded, sorted.
  public var unavailablePlugins: [String] { plugins.problems.keys.sorted() }
}
