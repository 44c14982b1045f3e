@_spi(Host) package import AppCore
package import Support

// The form of a plugin's description: in the files of interfaces, between a scan and the host, and in
// the scans' cache.
extension PluginInfo {
  /// The version of the form in the cache; change it with the fields, so that old ones are not read.
  package static let form = "6"

  package var bytes: [UInt8] { Array(tree.text.utf8) }

  /// Decodes ``bytes``; `nil` if they are not in this form.
  package init?(bytes: ArraySlice<UInt8>) {
    guard let value = try? Value(json: Array(bytes)), let info = try? PluginInfo(value) else {
      return nil
    }
    self = info
  }

  var tree: JSONTree {
    var fields: [(String, JSONTree)] = [
      ("interface", .int(PluginInterface.format)), ("plugin", .string(name)),
      ("version", .string(version)), ("configuration", JSONTree(configuration)),
      ("features", .array(features.map(\.tree))),
    ]
    // The states of a plugin are its own: its interface does not have them.
    if !states.isEmpty {
      fields.append(
        ("states", states.sorted { $0.key < $1.key }.map { ($0.key, JSONTree($0.value)) }.tree))
    }
    return fields.tree
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

extension [(String, JSONTree)] {
  /// The fields as an object, in their order.
  package var tree: JSONTree { .object(map { (name: $0.0, value: $0.1) }) }
}

extension JSONTree {
  package init(_ enumCase: CaseSchema) {
    self =
      [
        ("name", .string(enumCase.name)),
        ("payload", enumCase.payload.map { JSONTree($0) } ?? .null),
      ].tree
  }

  /// The shape of a value: its kind under `type`, and what the kind has besides.
  package init(_ schema: Schema) {
    func made(_ type: String, _ more: [(String, JSONTree)] = []) -> JSONTree {
      ([("type", .string(type))] + more).tree
    }
    self =
      switch schema {
      case .bool: made("bool")
      case .int: made("int")
      case .double: made("double")
      case .string: made("string")
      case .secret: made("secret")
      case .any: made("any")
      case .optional(let wrapped): made("optional", [("of", JSONTree(wrapped))])
      case .array(let element): made("array", [("of", JSONTree(element))])
      case .dictionary(let element): made("dictionary", [("of", JSONTree(element))])
      case .object(let fields):
        made(
          "object",
          [
            (
              "fields",
              .array(
                fields.map { field in
                  var tree: [(String, JSONTree)] = [
                    ("name", .string(field.name)), ("schema", JSONTree(field.schema)),
                  ]
                  if let value = field.defaultValue { tree.append(("default", .raw(value.json))) }
                  return tree.tree
                })
            )
          ])
      case .choice(let names): made("choice", [("values", JSONTree(names))])
      case .variant(let cases):
        made("variant", [("cases", .array(cases.map { JSONTree($0) }))])
      case .recursive(let name): made("recursive", [("name", .string(name))])
      case .opaque(let name): made("opaque", [("name", .string(name))])
      @unknown default: made("opaque", [("name", .string("\(schema)"))])
      }
  }
}
