@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
internal import Support

extension Interruption {
  /// Writes a report of whose code has ended the process, for the supervisor.
  ///
  /// - Parameters:
  ///   - page: the memory that is shared with the supervisor.
  ///   - cause: the cause; empty for a signal, which the supervisor knows.
  ///   - hang: how long the app had not answered, in nanoseconds, if the process ends for that
  ///     reason.
  func writeReport(on page: WorkerPage, cause: String = "", hang: Int? = nil) {
    var report = report(cause: cause, hang: hang)
    // Before the action is described: that runs the feature's code, which may fault as well.
    page.report = report.bytes
    notifyListeners(report)
    guard addAction(to: &report) else { return }
    page.report = report.bytes
    notifyListeners(report)
  }

  /// Tells those who write it down, with the signal's name where nothing else ended the process.
  func notifyListeners(_ report: CrashReport) {
    var report = report
    if report.cause.isEmpty {
      report.cause = strsignal(signal).map { String(cString: $0) } ?? "a signal"
    }
    CrashListeners.tell(report)
  }

  /// Adds the action that was reduced.
  ///
  /// - Returns: whether there was one.
  func addAction(to report: inout CrashReport) -> Bool {
    guard record.kind == .action, let address = record.action else { return false }
    report.action = SafeText.line(AnyAction(at: address).text)
    return true
  }

  /// Whose code has ended the process, but for the action.
  func report(cause: String, hang: Int? = nil) -> CrashReport {
    var report = CrashReport()
    report.cause = cause
    if let hang { report.setHang(nanoseconds: hang) }
    if let node {
      report.plugin = node.plugin
      report.feature = node.feature
      report.node = node.name
      report.instance = (record.kind != .none ? record.instance : scope?.id).map { "\($0)" } ?? ""
      report.call = record.kind == .none ? "an effect" : record.kind.method
    } else if let stage, let stagedPlugin {
      report.plugin = String(cString: stagedPlugin)
      report.call = stage.call
    } else if !StagedThreads.isLoading, let found = trace.pluginPlace(of: nil) {
      report.plugin = found.plugin
    }
    if let place {
      report.place = "lib\(report.plugin).so+0x\(String(place.offset, radix: 16))"
      report.file = place.path
    }
    return report
  }
}

extension PluginStage {
  /// The plugin's function that was called, as it is written in its sources.
  fileprivate var call: String {
    switch self {
    case .loading: "its initializers"
    case .asking: "register(in:)"
    case .making: "init(configuration:)"
    }
  }
}
