package import Navigation
internal import PluginHost
package import Sessions
internal import Support

/// The crash or hang of a worker: an end that nobody has requested.
package struct WorkerCrash: Hashable, Sendable {
  /// When it ended, in nanoseconds of the monotonic clock.
  package let time: Int
  /// Whether its first screen had been shown.
  package let wasRunning: Bool
  /// The code that was running, as far as it is known.
  package let report: CrashReport
  /// The app that it ran; `nil` if that is not known.
  package let identity: SessionIdentity?
  /// Whether the image that it has left lacks changes that were shown.
  package let hasLostState: Bool
  /// The plugins whose suspension the user had ended before.
  package let retriedPlugins: Set<String>
  /// The latest entries of its log, without what was typed.
  package let log: [String]

  package init(
    time: Int, wasRunning: Bool, report: CrashReport, identity: SessionIdentity?,
    hasLostState: Bool = false, retriedPlugins: Set<String> = [], log: [String] = []
  ) {
    self.time = time
    self.wasRunning = wasRunning
    self.report = report
    self.identity = identity
    self.hasLostState = hasLostState
    self.retriedPlugins = retriedPlugins
    self.log = log
  }
}

extension WorkerCrash {
  /// Combines how a worker has ended with what it has left in the shared page.
  ///
  /// The culprit is the one of the worker's own report, else the feature of the recorded call.
  init(
    _ end: WorkerWatch.End, time: Int, page: SharedCrashPage, identity: SessionIdentity?,
    retriedPlugins: Set<String>
  ) {
    let cause =
      end.signal.map(Self.name(ofSignal:))
      ?? "it ended the process with status \(end.status ?? 0)"
    let told = CrashReport(page.report)
    var report = told ?? CrashReport()
    if report.cause.isEmpty { report.cause = cause }
    if let hang = end.hang { report.setHang(nanoseconds: hang) }
    if let cause = end.cause { report.cause = cause }
    // A report without a culprit is that of a crash on another thread, to which the recorded call
    // does not apply.
    if told == nil || report.isHang && !report.isAttributed {
      let (kind, node, instance) = page.call
      if kind != .none, let identity, identity.nodes.indices.contains(node),
        let plugin = identity.nodes[node].plugin
      {
        report.plugin = plugin
        report.feature = identity.nodes[node].feature ?? ""
        report.node = identity.nodes[node].name
        report.instance = instance.map { "\($0)" } ?? ""
        report.call = kind.method
      }
    }
    self.init(
      time: time, wasRunning: page.hasShownScreen, report: report, identity: identity,
      hasLostState: page.hasStaleImage, retriedPlugins: retriedPlugins, log: page.log)
  }

  /// The name of the plugin to blame and the digest of its file; `nil` if no plugin is known.
  package var culprit: String? {
    guard report.isAttributed else { return nil }
    let digest = identity?.plugin(report.plugin)?.digest ?? ""
    return report.plugin + " " + digest
  }

  static func name(ofSignal number: Int32) -> String { signalNames[number] ?? "signal \(number)" }

  private static let signalNames: [Int32: String] = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS",
    8: "SIGFPE", 9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE",
    14: "SIGALRM", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
  ]
}

// Crashes in words.
extension WorkerCrash {
  /// The crash in a line.
  package var summary: String { report.summary }

  /// All details of a crash, a line each.
  package var details: [String] {
    var lines = [summary]
    if !report.node.isEmpty {
      let instance = report.instance.isEmpty ? "" : " #\(report.instance)"
      lines.append("  node: '\(report.node)'\(instance)")
    }
    if !report.action.isEmpty { lines.append("  action: \(report.action)") }
    if let plugin = identity?.plugin(report.plugin) {
      lines.append("  plugin: \(plugin.name) \(plugin.version)")
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
