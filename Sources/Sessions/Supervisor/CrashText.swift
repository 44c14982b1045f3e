internal import Navigation
internal import Support

/// The messages about a crash.
package enum CrashText {
  /// The crash in one line: who, in what, where, and by what.
  package static func line(of end: WorkerEnd) -> String {
    let report = end.report
    let place = ([report.place] + [report.cause]).filter { !$0.isEmpty }.joined(separator: ", ")
    let verb = report.isHang ? "hung" : "crashed"
    guard report.isAttributed else {
      return SafeText.line("the app \(verb) (\(place)); no plugin is known to have run")
    }
    let owner = report.feature.isEmpty ? "plugin '\(report.plugin)'" : report.feature
    let call = report.call.isEmpty ? "" : " in \(report.call)"
    // A plugin may have written anything where this was read.
    return SafeText.line("\(owner) \(verb)\(call) (\(place))")
  }

  /// All that is known of a crash.
  package static func details(of end: WorkerEnd) -> [String] {
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
    return lines.map { SafeText.line($0) }
  }
}
