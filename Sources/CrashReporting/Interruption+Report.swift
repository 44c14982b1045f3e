@_spi(Host) internal import AppCore
internal import Navigation
internal import Support

extension Interruption {
  /// Leaves whose code has ended the process where the supervisor reads it.
  ///
  /// - Parameters:
  ///   - page: where it is left.
  ///   - cause: what ended it; empty for the signal, which the supervisor knows.
  ///   - hang: for how long the app had not answered, in nanoseconds, where that is why it ends.
  func tellSupervisor(on page: WorkerPage, cause: String = "", hang: Int? = nil) {
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
    // Before the action is described: that runs the feature's code, which may fault as well.
    page.report = report.bytes
    if record.kind == .action, let address = record.action {
      report.action = SafeText.line(AnyAction(at: address).text)
      page.report = report.bytes
    }
  }
}

extension PluginStage {
  /// What was called of the plugin, as it is written in its sources.
  fileprivate var call: String {
    switch self {
    case .loading: "its initializers"
    case .asking: "register(in:)"
    case .making: "init(configuration:)"
    }
  }
}
