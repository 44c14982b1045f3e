internal import Navigation
internal import PluginHost
internal import Sessions
internal import Support

/// Describes crashes in words.
package enum CrashText {
  /// One line: the feature or plugin, the call, the place in its file, and the cause.
  package static func line(of end: WorkerCrash) -> String {
    let report = end.report
    let place = ([report.place] + [report.cause]).filter { !$0.isEmpty }.joined(separator: ", ")
    let verb = report.isHang ? "hung" : "crashed"
    guard report.isAttributed else {
      return SafeText.line("the app \(verb) (\(place)); no plugin is known to have run")
    }
    let owner = report.feature.isEmpty ? "plugin '\(report.plugin)'" : report.feature
    let call = report.call.isEmpty ? "" : " in \(report.call)"
    // A plugin may have overwritten the memory with the report.
    return SafeText.line("\(owner) \(verb)\(call) (\(place))")
  }

  /// All details of a crash, a line each.
  package static func details(of end: WorkerCrash) -> [String] {
    let report = end.report
    var lines = [line(of: end)]
    if !report.node.isEmpty {
      let instance = report.instance.isEmpty ? "" : " #\(report.instance)"
      lines.append("  node: '\(report.node)'\(instance)")
    }
    if !report.action.isEmpty { lines.append("  action: \(report.action)") }
    if let identity = end.identity?.plugin(report.plugin) {
      lines.append("  plugin: \(identity.name) \(identity.version)")
    }
    if !report.file.isEmpty, let offset = report.place.split(separator: "+").last {
      lines.append(
        "  `llvm-symbolizer --obj=\(report.file) \(offset)` shows the line of the source")
    }
    if !report.calls.isEmpty {
      lines.append("  calls, the innermost first:")
      lines += report.calls.split(separator: "\n").map { call in
        let parts = call.split(separator: " ", maxSplits: 1).map(String.init)
        return "    " + parts[0]
          + (parts.dropFirst().first.map { " " + Demangler.readable($0) } ?? "")
      }
    }
    return lines.map { SafeText.line($0) }
  }
}
