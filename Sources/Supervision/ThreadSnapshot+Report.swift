@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
internal import Support

extension ThreadSnapshot {
  /// Reports to the supervisor and to the listeners whose code has ended the process.
  ///
  /// The cause is empty for a signal, which the supervisor knows; `hang` is how long the app has not
  /// responded, in nanoseconds, if that ends the process. With `blamesLast`, the feature that was
  /// called last is named if none is running.
  func writeReport(
    on page: SharedCrashPage, cause: String = "", hang: Int? = nil, blamesLast: Bool = false
  ) {
    var report = report(cause: cause, hang: hang, blamesLast: blamesLast)
    // Written before the action is described: that runs the feature's code, which may crash too.
    page.report = report.bytes
    notifyListeners(report)
    if addAction(to: &report) {
      page.report = report.bytes
      notifyListeners(report)
    }
    file(report)
  }

  /// Passes a report to the listeners; an empty cause becomes the signal's description.
  private func notifyListeners(_ report: CrashReport) {
    var report = report
    if report.cause.isEmpty { report.cause = signalName }
    for app in WatchedApp.all { app.crashListener?(report) }
  }

  /// Writes a report to a file, unless the supervisor does: last of all, since a disk may be slow, and the
  /// thread at fault waits for three seconds only.
  private func file(_ report: CrashReport) {
    var report = report
    if signal != 0 { report.cause = WorkerCrash.name(ofSignal: signal) }
    CrashFolder.file(report, ofApp: app)
  }

  /// A report of a hang that ends the process, with the action.
  func hangReport(nanoseconds: Int) -> CrashReport {
    var report = report(cause: "", hang: nanoseconds)
    _ = addAction(to: &report)
    return report
  }

  /// The description of the signal that ends the process.
  var signalName: String { strsignal(signal).map { String(cString: $0) } ?? "a signal" }

  /// Adds the action that was being reduced to a report.
  ///
  /// - Returns: whether there was such an action.
  private func addAction(to report: inout CrashReport) -> Bool {
    guard record.kind == .action, let address = record.action else { return false }
    report.action = WatchedApp.text(of: AnyAction(at: address), inApp: app)
    return true
  }

  /// A report of whose code has ended the process, without the action.
  ///
  /// The parameters are those of ``writeReport(on:cause:hang:blamesLast:)``.
  private func report(cause: String, hang: Int? = nil, blamesLast: Bool = false) -> CrashReport {
    var report = CrashReport()
    report.cause = cause
    if let hang { report.setHang(nanoseconds: hang) }
    if let node {
      report.plugin = node.plugin
      report.feature = node.feature
      report.node = node.name
      report.instance = instance.map { "\($0)" } ?? ""
      report.call = record.kind == .none ? "an effect" : record.kind.method
    } else if blamesLast, record.instance != nil,
      let node = WatchedApp.node(record.node, app: app)
    {
      (report.plugin, report.feature, report.node) = (node.plugin, node.feature, node.name)
      report.instance = record.instance.map { "\($0)" } ?? ""
    } else if let stage = staged?.stage, let plugin = staged?.plugin {
      report.plugin = String(cString: plugin)
      report.call = stage.call
    } else if !WatchedThreads.isLoading, let found = trace.pluginPlace(of: nil) {
      report.plugin = found.plugin
    }
    if let place {
      report.place = "lib\(report.plugin).so+0x\(String(place.offset, radix: 16))"
      report.file = place.path
    }
    if !WatchedThreads.isLoading { report.calls = trace.lines.joined(separator: "\n") }
    return report
  }

  /// Ends the process because of something other than a signal.
  ///
  /// The supervisor restores the app in another process, so with one nothing has to be saved. `kills`
  /// is for a process in which exit handlers and other threads can't be trusted any more.
  func endProcess(because cause: String, blamesLast: Bool = false, kills: Bool = false) -> Never {
    if let page = SharedCrashPage.current {
      writeReport(on: page, cause: cause, blamesLast: blamesLast)
      if kills { kill(getpid(), SIGKILL) }
      _exit(70)
    }
    // The line that names the caller has to be the last one.
    EndingSignals.end(for: .exit(onAppThread: WatchedThreads.own != nil)) { _ in
      PluginOutput.drain()
      reportEnd(by: cause, blamesLast: blamesLast)
      return 70
    }
  }

  /// Writes the process's last line to standard error: whose code has ended the process, and why.
  ///
  /// If no feature is running and `blamesLast` is `true`, it names the one that was called last.
  func reportEnd(by cause: String, blamesLast: Bool = false) {
    var report = report(cause: cause, blamesLast: blamesLast)
    // Lines are printed before listeners are called: a listener may take long or never return.
    guard let culprit = culprit ?? (blamesLast ? lastOwner : nil) else {
      ErrorLog.write("appcore: ended by \(cause); \(Self.unattributed)\n", .error)
      notifyListeners(report)
      return file(report)
    }
    if let place {
      ErrorLog.write(
        "appcore: `llvm-symbolizer --obj=\(shellWord(place.path)) 0x\(String(place.offset, radix: 16))` "
          + "shows the line of the source\n", .error)
    }
    // The action is printed separately: describing it runs the feature's code, which may crash.
    ErrorLog.write(
      "appcore: ended by \(culprit): \(cause)" + (ErrorLog.isKept ? "\n" : ""), .error)
    notifyListeners(report)
    if addAction(to: &report) {
      if !ErrorLog.isKept { ErrorLog.write(", at the action " + report.action, .error) }
      notifyListeners(report)
    }
    if !ErrorLog.isKept { ErrorLog.write("\n", .error) }
    file(report)
  }

  /// The reason why no plugin is named.
  private static var unattributed: String {
    let descriptor = dup(STDERR_FILENO)
    if descriptor < 0, errno == EMFILE || errno == ENFILE {
      return "unattributed: the process has no descriptors left; 'ulimit -n' raises their number"
    }
    close(descriptor)
    return "unattributed: the thread ran no plugin's code that is known"
  }
}
