internal import AppCoreHost
internal import Glibc
internal import Logging
internal import Shell
internal import Supervision
internal import Support
internal import Synchronization

enum Console {
  /// What to print in place of the path of a temporary folder.
  private static let names = Mutex<[(path: String, name: String)]>([])

  /// Prints paths in a folder, where an archive was unpacked, as paths in the archive from now on.
  static func show(_ folder: String, as archive: String) {
    // A relative path has no scheme.
    let uri = archive.hasPrefix("/") ? "file://" + archive : archive
    names.withLock { $0 += [("file://" + folder, uri), (folder, archive)] }
  }

  private static func named(_ text: String) -> String {
    names.withLock { $0 }.reduce(text) { text, name in
      text.replacing(name.path, with: name.name)
    }
  }

  /// Writes data to standard output.
  ///
  /// Ends the process with an error status if writing fails, so that a program that reads the
  /// output doesn't take a part of it for all of it.
  static func print(
    _ text: String, terminator: String = "\n", as content: OutputWriter.Content = .text
  ) {
    do throws(InputOutputError) {
      try OutputWriter(content: content).write(named(text) + terminator)
    } catch {
      ProcessExit.exit(status(of: error))
    }
  }

  /// Writes a line to standard error, where everything goes that is not data.
  static func printError(_ text: String, as content: OutputWriter.Content = .text) {
    writeError(text + "\n", as: content)
  }

  /// Writes a line about what the program does, to standard error.
  @Sendable static func report(_ line: String) { printError("appcore: " + line) }

  /// Writes text to standard error; unlike ``printError(_:as:)``, adds no newline.
  static func writeError(_ text: String, as content: OutputWriter.Content = .text) {
    // If standard error fails, there is nowhere to report it.
    try? OutputWriter(descriptor: STDERR_FILENO, content: content).write(named(text))
  }

  /// Prints an error of input or output and returns the exit status for it.
  ///
  /// - Returns: 74; or 128 + SIGPIPE, without printing, if the reader of the output has gone.
  static func status(of error: InputOutputError) -> Int32 {
    if error == .readerGone { return 128 + SIGPIPE }
    printError("appcore: \(error)")
    return 74
  }

  /// Opens `/dev/null` for each closed standard stream, so that no later file gets its number.
  ///
  /// Standard input is opened for writing only and the others for reading only. Using the stream
  /// then still fails, as it would have when it was closed.
  static func fillClosedStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free number, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// The program's log, on standard error: warnings only, unless verbose.
enum Logs {
  private static let logger = Logger(label: "appcore")

  /// Sets up the log; must be called once, before anything is logged.
  static func start(isVerbose: Bool) {
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler(label: label, stream: ErrorStream())
      handler.logLevel = isVerbose ? .debug : .warning
      return handler
    }
  }

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
        let micros =
          record.duration.components.seconds * 1_000_000
          + record.duration.components.attoseconds / 1_000_000_000_000
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
