internal import AppCheck
@_spi(Host) internal import AppCore
internal import Glibc
internal import PluginHost
internal import Support

/// A report on plugin files: the output of `appcore inspect`.
struct PluginReport: Sendable {
  struct InspectedPlugin: Sendable {
    /// The path of the file, or the name of the plugin if no file was found.
    let path: String
    /// The facts that were read from the file; `nil` if it can't be read or is not a library.
    let inspection: PluginInspection?
    /// Why the plugin can't be loaded; `nil` if no reason is known.
    var problem: PluginError?
    /// The plugin's description of itself; `nil` if it was not scanned.
    var info: PluginInfo?
  }

  let entries: [InspectedPlugin]

  /// Inspects plugins: files, folders or names.
  ///
  /// Without a scan, no code of the plugins runs. With a scan, plugins that fit this host are
  /// loaded in a child process and describe themselves.
  init(_ plugins: [String], options: AppOptions = AppOptions(), scans: Bool = false) {
    let locator = options.locator()
    let cache = ScanCache(
      environment: options.environment, form: PluginInfo.form)
    let trust: FileTrust = options.allowsWritable ? .all : .guarded
    var entries = plugins.map { plugin in
      do throws(PluginError) {
        let path = try Self.file(plugin, locator, options)
        let inspection = try PluginInspection(
          path: path, trust: trust, cache: cache)
        return InspectedPlugin(
          path: path, inspection: inspection,
          problem: inspection.problem ?? inspection.scanResult?.problem)
      } catch {
        return InspectedPlugin(path: error.path, inspection: nil, problem: error)
      }
    }
    if scans { Self.scan(&entries, locator, options) }
    self.entries = entries
  }

  /// The file of a plugin that is given by a path or a name.
  ///
  /// A folder of sources is built. A word without a slash or a dot is the name of a plugin, which
  /// is searched for, unless the current folder has a file of that name.
  private static func file(
    _ plugin: String, _ locator: PluginLocator, _ options: AppOptions
  ) throws(PluginError) -> String {
    guard !plugin.contains("/"), !plugin.contains("."), access(plugin, F_OK) != 0 else {
      return try PluginFolder.file(at: locator.locate(path: plugin), options: options)
    }
    return try locator.locate(name: plugin)
  }

  private static func scan(
    _ entries: inout [InspectedPlugin], _ locator: PluginLocator, _ options: AppOptions
  ) {
    // Also those in quarantine, which a new scan may end.
    let indices = entries.indices.filter {
      entries[$0].inspection.map { $0.problem == nil } == true
    }
    let plugins = PluginResolver(locator: locator, options: options)
      .resolve(indices.map { .path(entries[$0].path) }).plugins
    for (index, plugin) in zip(indices, plugins) {
      do throws(PluginError) {
        entries[index].info = try plugin.get().info
        entries[index].problem = nil
      } catch {
        entries[index].problem = error
      }
    }
  }

  /// The exit status: 0, or 69 if one of the plugins can't be loaded.
  var exitStatus: Int32 { entries.contains { $0.problem != nil } ? 69 : 0 }

  /// The interface of a plugin, a file, folder or name, which is scanned in a child process.
  ///
  /// - Throws: `PluginError` if the plugin can't be loaded.
  static func interface(of plugin: String, options: AppOptions) throws -> PluginInterface {
    let entry = PluginReport([plugin], options: options, scans: true).entries[0]
    guard let info = entry.info else {
      throw entry.problem
        ?? PluginError(.scanned, path: entry.path, .registration("it says nothing"))
    }
    return PluginInterface(info)
  }

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

extension PluginReport {
  /// The report as text: a paragraph for each file.
  var text: String {
    entries.map { entry in
      ([SafeText.line(entry.path)] + entry.lines.map { "  " + SafeText.line($0) })
        .joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }
}

extension PluginReport.InspectedPlugin {
  fileprivate var lines: [String] {
    guard let inspection else { return resultLines }
    let metadata = inspection.metadata
    var lines =
      metadata.names.isEmpty ? [] : [row("plugin", metadata.names.joined(separator: ", "))]
    lines += resultLines
    var file = "\(inspection.size) bytes, digest \(inspection.digest)"
    if let buildID = metadata.buildIDText { file += ", build " + buildID }
    lines.append(row("file", file))
    if let soname = metadata.soname { lines.append(row("called", soname)) }
    lines += rows("run path", metadata.runpath.map { $0.isEmpty ? "'' (the current folder)" : $0 })
    if let version = inspection.sdkVersion { lines.append(row("sdk", version)) }
    lines += rows("contract", contracts(metadata))
    lines += rows("needs", libraries(inspection))
    lines.append(
      row(
        "symbols",
        "\(metadata.exportCount) for others, \(metadata.importCount) needed, "
          + "\(inspection.sdkSymbolCount) of them of AppCore"))
    lines += rows("missing", inspection.missingSDKSymbols.map { $0.readable })
    if let scanResult = inspection.scanResult, info == nil {
      let found = scanResult.problem.map { "\($0.message) [\($0.code)]" } ?? "fine"
      lines.append(row("scanned", "\(Self.time(scanResult.time)): \(found)"))
    }
    if let info { lines += Self.lines(of: info) }
    return lines
  }

  /// Whether the plugin fits this host; if not, the problem, its details and the remedy.
  private var resultLines: [String] {
    guard let problem else { return [row("result", "fits this host")] }
    let result = "\(problem.stage.words): \(problem.message) [\(problem.code)]"
    return rows("result", [result] + problem.details + ["help: \(problem.remedy)"])
  }

  private func contracts(_ metadata: PluginMetadata) -> [String] {
    metadata.contracts.map { contract in
      contract == HostSDK.current.contract
        ? "\(contract), as this host has it"
        : "\(contract); this host has \(HostSDK.current.contract)"
    } + metadata.ownContracts.map { "\($0), inside the file" }
  }

  private func libraries(_ inspection: PluginInspection) -> [String] {
    let width = inspection.libraries.map(\.name.count).max() ?? 0
    return inspection.libraries.map { library in
      let name = library.name + String(repeating: " ", count: width - library.name.count)
      let origin =
        switch library.origin {
        case .host: "loaded already"
        case .file(let path): path
        case .plugin(let plugin): "the plugin '\(plugin)', which is refused"
        case .nowhere: "not found"
        }
      return "\(name)  \(origin)"
    }
  }

  private static func lines(of info: PluginInfo) -> [String] {
    var lines = [
      row("version", info.version), row("takes", "\(info.configuration)"),
    ]
    for feature in info.features {
      var texts = [feature.name, "arguments  \(feature.arguments)"]
      texts += feature.delegates.map { "delegate   \($0)" }
      texts += feature.inputs.map { "input      \($0)" }
      if let defect = feature.defect { texts.append("can't be used: \(defect)") }
      lines += rows("feature", texts)
    }
    return lines
  }

  static func time(_ seconds: Int64) -> String {
    Instant(secondsSinceEpoch: Int(seconds)).description
  }
}

/// A row with its name in a column of 10 characters.
private func row(_ name: String, _ text: String) -> String {
  name + String(repeating: " ", count: max(1, 10 - name.count)) + text
}

/// Several rows, of which only the first has the name.
private func rows(_ name: String, _ texts: [String]) -> [String] {
  texts.enumerated().map { row($0 == 0 ? name : "", $1) }
}

extension PluginError.Stage {
  /// The beginning of the result of a plugin that failed at this stage.
  var words: String {
    switch self {
    case .found: "not found"
    case .built: "not built"
    case .read: "not read"
    case .validated: "refused"
    case .scanned: "in quarantine or not scanned"
    case .loaded: "not loaded"
    case .registered: "not registered"
    }
  }
}
