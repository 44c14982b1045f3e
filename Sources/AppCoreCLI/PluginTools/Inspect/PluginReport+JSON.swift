internal import AppCheck
@_spi(Host) internal import AppCore
internal import PluginHost
internal import Support

extension PluginReport {
  /// The report as JSON; docs/plugins.md describes the fields.
  var json: String {
    let host = HostSDK.current
    let tree: JSONTree = [
      "inspect": 2,
      "host": [
        "sdk": .string(host.version), "epoch": .int(host.contract.epoch),
        "compiler": .string(host.contract.compiler), "digest": .string(host.digest),
      ],
      "plugins": .array(entries.map(\.tree)),
    ]
    return tree.text
  }
}

extension PluginError {
  fileprivate var tree: JSONTree {
    [
      "code": .string(code), "stage": .string(stage.rawValue), "message": .string(message),
      "details": JSONTree(details), "help": .string(remedy),
    ]
  }
}

extension PluginReport.InspectedPlugin {
  fileprivate var tree: JSONTree {
    let tree: JSONTree = [
      "path": .string(path), "fits": .bool(problem == nil), "problem": problem?.tree ?? .null,
    ]
    guard let inspection else { return tree }
    let metadata = inspection.metadata
    return tree.adding([
      ("names", JSONTree(metadata.names)),
      (
        "file",
        [
          "size": .int(Int(clamping: inspection.size)), "digest": .string(inspection.digest),
          "buildID": JSONTree(metadata.buildIDText), "soname": JSONTree(metadata.soname),
          "runPath": JSONTree(metadata.runpath), "exports": .int(metadata.exportCount),
          "imports": .int(metadata.importCount), "sdkImports": .int(inspection.sdkSymbolCount),
        ]
      ), ("sdk", JSONTree(inspection.sdkVersion)),
      (
        "contracts",
        .array(
          metadata.contracts.map { contract in
            [
              "epoch": .int(contract.epoch), "compiler": .string(contract.compiler),
              "fits": .bool(contract == HostSDK.current.contract),
            ]
          })
      ), ("libraries", .array(inspection.libraries.map(\.tree))),
      (
        "missing",
        .array(
          inspection.missingSDKSymbols.map {
            ["symbol": .string($0.mangled), "name": .string($0.readable)]
          })
      ),
      (
        "verdict",
        inspection.scanResult.map { time, problem in
          ["time": .string(Self.time(time)), "problem": problem?.tree ?? .null]
        } ?? .null
      ), ("scan", info?.scanTree ?? .null),
    ])
  }
}

extension PluginInspection.Library {
  fileprivate var tree: JSONTree {
    let name = JSONTree.string(name)
    return switch origin {
    case .host: ["name": name, "status": "loaded"]
    case .file(let path): ["name": name, "status": "found", "path": .string(path)]
    case .plugin(let plugin): ["name": name, "status": "plugin", "plugin": .string(plugin)]
    case .nowhere: ["name": name, "status": "missing"]
    }
  }
}

extension PluginInfo {
  fileprivate var scanTree: JSONTree {
    [
      "name": .string(name), "version": .string(version),
      "configuration": JSONTree(configuration),
      "features": .array(
        features.map { feature in
          let tree = JSONTree(feature)
          return feature.defect == nil ? tree.adding([("defect", .null)]) : tree
        }),
    ]
  }
}
