internal import Glibc
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
  static func printError(
    _ text: String, _ level: ErrorLog.Level = .error, as content: OutputWriter.Content = .text
  ) {
    writeError(text + "\n", level, as: content)
  }

  /// Writes a line about what the program does, to standard error.
  @Sendable static func report(_ line: String) { printError("appcore: " + line, .warning) }

  /// Writes text to standard error; unlike ``printError(_:_:as:)``, adds no newline.
  static func writeError(
    _ text: String, _ level: ErrorLog.Level = .error, as content: OutputWriter.Content = .text
  ) {
    ErrorLog.write(named(text), level, as: content)
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
