internal import AppCheck
@_spi(Host) package import AppCore
internal import PluginHost
internal import Support

extension PluginReport {
  /// The report for programs; docs/plugins.md says what each field means.
  public var json: String {
    let tree: JSONTree = [
      ("inspect", 2), ("host", .object(HostSDK.current.fields)),
      ("plugins", .array(entries.map(\.tree))),
    ].tree
    return tree.text
  }
}

extension [(String, JSONTree)] {
  fileprivate var tree: JSONTree { .object(map { (name: $0.0, value: $0.1) }) }
}

extension HostSDK {
  fileprivate var fields: [(name: String, value: JSONTree)] {
    [(name: "sdk", value: .string(version))] + contract.fields
      + [(name: "digest", value: .string(digest))]
  }
}

extension Contract {
  fileprivate var fields: [(name: String, value: JSONTree)] {
    [(name: "epoch", value: .int(epoch)), (name: "compiler", value: .string(compiler))]
  }
}

extension PluginError {
  fileprivate var tree: JSONTree {
    [
      ("code", .string(code)), ("stage", .string(stage.rawValue)), ("message", .string(message)),
      ("details", JSONTree(details)), ("help", .string(remedy)),
    ].tree
  }
}

extension JSONTree {
  /// A string, or null.
  fileprivate init(_ string: String?) { self = string.map { .string($0) } ?? .null }
}

extension PluginReport.Entry {
  fileprivate var tree: JSONTree {
    var fields: [(String, JSONTree)] = [
      ("path", .string(path)), ("fits", .bool(problem == nil)),
      ("problem", problem?.tree ?? .null),
    ]
    guard let inspection else { return fields.tree }
    let facts = inspection.facts
    let file: [(String, JSONTree)] = [
      ("size", .int(Int(clamping: inspection.size))), ("digest", .string(inspection.digest)),
      (
        "buildID",
        JSONTree(
          facts.buildID.map { bytes in
            bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
          })
      ),
      ("soname", JSONTree(facts.soname)), ("runPath", JSONTree(facts.runpath)),
      ("exports", .int(facts.exportCount)), ("imports", .int(facts.importCount)),
      ("sdkImports", .int(inspection.sdkSymbolCount)),
    ]
    fields += [
      ("names", JSONTree(facts.names)), ("file", file.tree),
      ("sdk", JSONTree(inspection.sdkVersion)),
      (
        "contracts",
        .array(
          facts.contracts.map { contract in
            JSONTree.object(contract.fields).adding([
              (name: "fits", value: .bool(contract == HostSDK.current.contract))
            ])
          })
      ),
      ("libraries", .array(inspection.libraries.map(\.tree))),
      (
        "missing",
        .array(
          inspection.missingSDKSymbols.map {
            [("symbol", .string($0.mangled)), ("name", .string($0.readable))].tree
          })
      ),
      ("verdict", inspection.scanResult?.tree ?? .null), ("scan", info?.tree ?? .null),
    ]
    return fields.tree
  }
}

extension PluginInspection.StoredResult {
  fileprivate var tree: JSONTree {
    [
      ("time", .string(PluginReport.Entry.time(time))), ("problem", problem?.tree ?? .null),
    ].tree
  }
}

extension PluginInspection.Library {
  fileprivate var tree: JSONTree {
    let origin: [(String, JSONTree)] =
      switch origin {
      case .host: [("status", "loaded")]
      case .file(let path): [("status", "found"), ("path", .string(path))]
      case .plugin(let plugin): [("status", "plugin"), ("plugin", .string(plugin))]
      case .nowhere: [("status", "missing")]
      }
    return ([("name", .string(name))] + origin).tree
  }
}

extension PluginInfo {
  fileprivate var tree: JSONTree {
    [
      ("name", .string(name)), ("version", .string(version)),
      ("configuration", JSONTree(configuration)),
      (
        "features",
        .array(
          features.map { feature in
            [
              ("name", .string(feature.name)), ("arguments", JSONTree(feature.arguments)),
              ("delegates", .array(feature.delegates.map { JSONTree($0) })),
              ("inputs", .array(feature.inputs.map { JSONTree($0) })),
              ("defect", JSONTree(feature.defect)),
            ].tree
          })
      ),
    ].tree
  }
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
