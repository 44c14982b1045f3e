internal import AppCheck
@_spi(Host) internal import AppCore
internal import PluginHost
internal import Support

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
    var lines = [row("result", "\(problem.stage.words): \(problem.message) [\(problem.code)]")]
    lines += problem.details.map { row("", $0) }
    lines.append(row("", "help: \(problem.remedy)"))
    return lines
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
      lines.append(row("feature", feature.name))
      lines.append(row("", "arguments  \(feature.arguments)"))
      lines += feature.delegates.map { row("", "delegate   \($0)") }
      lines += feature.inputs.map { row("", "input      \($0)") }
      if let defect = feature.defect { lines.append(row("", "can't be used: \(defect)")) }
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
