internal import AppCoreHost
internal import Logging
internal import Shell
internal import Support
internal import Synchronization

/// The program's log, on standard error.
enum Logs {
  private static let logger = Logger(label: "appcore")

  /// Sets up the log; must be called once, before anything is logged.
  static func start(_ limit: ErrorLog.Level) {
    LoggingSystem.bootstrap { label in
      var handler: any LogHandler =
        ErrorLog.isKept ? KeptLog() : StreamLogHandler(label: label, stream: ErrorStream())
      handler.logLevel = Logger.Level(rawValue: limit.name) ?? .warning
      return handler
    }
  }

  /// Writes what a feature reports of itself; a log that is kept says once that there is something, since
  /// it may quote what was typed.
  @Sendable static func writeReport(_ text: String) {
    guard ErrorLog.isKept else { return Console.writeError(text, .warning) }
    guard !hasNamedReports.exchange(true, ordering: .relaxed) else { return }
    Console.report(
      "a feature has reported something; as that may quote what was typed, only messages as text "
        + "show it")
  }

  private static let hasNamedReports = Atomic<Bool>(false)

  /// Logs the loaded plugins, and from then on every action, but nothing that people type: an action
  /// is logged by its case, and a refusal by its code.
  static func follow(_ app: App) {
    // Don't format what won't be logged.
    guard logger.logLevel <= .debug else { return }
    for plugin in app.loaded.pluginSummaries {
      logger.info(
        "loaded plugin \(SafeText.line(plugin.name)) \(SafeText.line(plugin.version))",
        metadata: ["file": "\(SafeText.line(plugin.path ?? "(linked)"))"])
    }
    waitFor {
      await app.observeActions { record in
        let owner = record.node.map { "\($0) #\(record.instance ?? "")" } ?? "-"
        let micros = record.duration.nanoseconds / 1000
        logger.debug(
          "\(SafeText.line(record.subject))",
          metadata: [
            "origin": "\(record.origin.rawValue)", "instance": "\(owner)", "us": "\(micros)",
          ])
        if let code = record.code { logger.info("refused [\(code)]") }
        for event in record.events { logger.info("\(SafeText.line(event.subject))") }
      }
    }
  }
}

private struct ErrorStream: TextOutputStream {
  mutating func write(_ text: String) { Console.writeError(text) }
}

/// Hands messages, with what belongs to them, to the log of the program.
private struct KeptLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.warning

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let level = ErrorLog.Level(name: event.level.rawValue) ?? .info
    let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }
    ErrorLog.write(
      "\(event.message)\n", level, fields: fields.map { ($0.key, .string("\($0.value)")) })
  }
}
