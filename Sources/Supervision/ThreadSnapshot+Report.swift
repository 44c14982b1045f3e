@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
internal import Support

extension ThreadSnapshot {
  /// Reports to the supervisor and to the listeners whose code has ended the process.
  ///
  /// - Parameters:
  ///   - page: the memory that is shared with the supervisor.
  ///   - cause: the cause; empty for a signal, which the supervisor knows.
  ///   - hang: how long the app has not responded, in nanoseconds, if that ends the process.
  ///   - blamesLast: whether to name the feature that was called last if none is running.
  func writeReport(
    on page: SharedCrashPage, cause: String = "", hang: Int? = nil, blamesLast: Bool = false
  ) {
    var report = report(cause: cause, hang: hang, blamesLast: blamesLast)
    // Written before the action is described: that runs the feature's code, which may crash too.
    page.report = report.bytes
    notifyListeners(report)
    guard addAction(to: &report) else { return }
    page.report = report.bytes
    notifyListeners(report)
  }

  /// Passes a report to the listeners; an empty cause becomes the signal's description.
  func notifyListeners(_ report: CrashReport) {
    var report = report
    if report.cause.isEmpty {
      report.cause = strsignal(signal).map { String(cString: $0) } ?? "a signal"
    }
    CrashListeners.notify(report)
  }

  /// Adds the action that was being reduced to a report.
  ///
  /// - Returns: whether there was such an action.
  func addAction(to report: inout CrashReport) -> Bool {
    guard record.kind == .action, let address = record.action else { return false }
    report.action = SafeText.line(AnyAction(at: address).text)
    return true
  }

  /// A report of whose code has ended the process, without the action.
  ///
  /// The parameters are those of ``writeReport(on:cause:hang:blamesLast:)``.
  func report(cause: String, hang: Int? = nil, blamesLast: Bool = false) -> CrashReport {
    var report = CrashReport()
    report.cause = cause
    if let hang { report.setHang(nanoseconds: hang) }
    if let node {
      report.plugin = node.plugin
      report.feature = node.feature
      report.node = node.name
      report.instance = (record.kind != .none ? record.instance : scope?.id).map { "\($0)" } ?? ""
      report.call = record.kind == .none ? "an effect" : record.kind.method
    } else if blamesLast, record.instance != nil,
      let node = WatchedNames.node(record.node, app: app)
    {
      (report.plugin, report.feature, report.node) = (node.plugin, node.feature, node.name)
      report.instance = record.instance.map { "\($0)" } ?? ""
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
    if !StagedThreads.isLoading { report.calls = trace.lines.joined(separator: "\n") }
    return report
  }
}

extension PluginStage {
  /// The plugin's code that runs at this stage.
  fileprivate var call: String {
    switch self {
    case .loading: "its initializers"
    case .asking: "register(in:)"
    case .making: "init(configuration:)"
    }
  }
}
