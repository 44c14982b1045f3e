internal import CrashReporting
internal import Glibc
internal import Support

/// Writes to standard output and standard error.
enum Console {
  /// Writes to standard output; data goes here.
  ///
  /// Where it can't be written the process ends: a program that reads half of the data must not take
  /// it for the whole.
  static func print(
    _ text: String, terminator: String = "\n", as content: OutputWriter.Content = .text
  ) {
    do throws(InputOutputError) {
      try OutputWriter(content: content).write(text + terminator)
    } catch {
      ProcessExit.exit(status(of: error))
    }
  }

  /// Writes to standard error; everything that is not data goes here.
  static func printError(_ text: String, as content: OutputWriter.Content = .text) {
    writeError(text + "\n", as: content)
  }

  /// Writes whole lines to standard error.
  static func writeError(_ text: String, as content: OutputWriter.Content = .text) {
    // An error of standard error can't be reported anywhere.
    try? OutputWriter(descriptor: STDERR_FILENO, content: content).write(text)
  }

  /// Tells what went wrong, where there is somebody to tell.
  ///
  /// - Returns: the exit status: 74, or that of SIGPIPE where the reader has gone.
  static func status(of error: InputOutputError) -> Int32 {
    if error == .readerGone { return 128 + SIGPIPE }
    printError("appcore: \(error)")
    return 74
  }

  /// Makes sure that no file that is opened later becomes standard input, output or error.
  ///
  /// Where one of them is closed, it is opened in the direction that it is not used in: reading from
  /// it, or writing to it, stays the error that it was.
  static func fillClosedStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
