internal import AppCheck
@_spi(Host) internal import AppCore
internal import PluginHost
internal import Support

extension PluginReport {
  /// The report as JSON; docs/plugins.md describes the fields.
  var json: String {
    let tree: JSONTree = [
      ("inspect", 2), ("host", .object(HostSDK.current.fields)),
      ("plugins", .array(entries.map(\.tree))),
    ].tree
    return tree.text
  }
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

extension PluginReport.InspectedPlugin {
  fileprivate var tree: JSONTree {
    var fields: [(String, JSONTree)] = [
      ("path", .string(path)), ("fits", .bool(problem == nil)),
      ("problem", problem?.tree ?? .null),
    ]
    guard let inspection else { return fields.tree }
    let metadata = inspection.metadata
    let file: [(String, JSONTree)] = [
      ("size", .int(Int(clamping: inspection.size))), ("digest", .string(inspection.digest)),
      ("buildID", JSONTree(metadata.buildIDText)),
      ("soname", JSONTree(metadata.soname)), ("runPath", JSONTree(metadata.runpath)),
      ("exports", .int(metadata.exportCount)), ("imports", .int(metadata.importCount)),
      ("sdkImports", .int(inspection.sdkSymbolCount)),
    ]
    fields += [
      ("names", JSONTree(metadata.names)), ("file", file.tree),
      ("sdk", JSONTree(inspection.sdkVersion)),
      (
        "contracts",
        .array(
          metadata.contracts.map { contract in
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
      (
        "verdict",
        inspection.scanResult.map { time, problem in
          [("time", .string(Self.time(time))), ("problem", problem?.tree ?? .null)].tree
        } ?? .null
      ), ("scan", info?.tree ?? .null),
    ]
    return fields.tree
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
