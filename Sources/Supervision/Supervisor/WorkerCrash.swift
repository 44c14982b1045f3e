package import Navigation
package import Sessions

/// The crash or hang of a worker: an end that nobody has requested.
package struct WorkerCrash: Hashable, Sendable {
  /// The signal that ended it; `nil` if it exited.
  package let signal: Int32?
  /// Its exit status; `nil` if a signal ended it.
  package let status: Int32?
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

  package init(
    signal: Int32?, status: Int32?, time: Int, wasRunning: Bool, report: CrashReport,
    identity: SessionIdentity?, hasLostState: Bool = false, retriedPlugins: Set<String> = []
  ) {
    self.signal = signal
    self.status = status
    self.time = time
    self.wasRunning = wasRunning
    self.report = report
    self.identity = identity
    self.hasLostState = hasLostState
    self.retriedPlugins = retriedPlugins
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
      end.signal.map { SignalName.of($0) }
      ?? "it ended the process with status \(end.status ?? 0)"
    var report = CrashReport(page.report) ?? CrashReport()
    let isTold = CrashReport(page.report) != nil
    if report.cause.isEmpty { report.cause = cause }
    if let limit = end.memoryLimit {
      report.cause = "it used more than \(MemoryWatch.words(limit)) of memory"
    }
    if let hang = end.hang { report.setHang(nanoseconds: hang) }
    if end.hasStopped {
      report.setHang(nanoseconds: 0)
      report.cause = "it stopped the process"
    }
    // A report without a culprit is that of a crash on another thread, to which the recorded call
    // does not apply.
    if !isTold || report.isHang && !report.isAttributed {
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
      signal: end.signal, status: end.status, time: time, wasRunning: page.hasShownScreen,
      report: report, identity: identity, hasLostState: page.hasStaleImage,
      retriedPlugins: retriedPlugins)
  }

  /// The name of the plugin to blame and the digest of its file; `nil` if no plugin is known.
  package var culprit: String? {
    guard report.isAttributed else { return nil }
    let digest = identity?.plugin(report.plugin)?.digest ?? ""
    return report.plugin + " " + digest
  }
}

/// The names of signals.
enum SignalName {
  private static let names: [Int32: String] = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS",
    8: "SIGFPE", 9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE",
    14: "SIGALRM", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
  ]

  static func of(_ signal: Int32) -> String { names[signal] ?? "signal \(signal)" }
}
