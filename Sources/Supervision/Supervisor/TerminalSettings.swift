internal import Glibc

/// The terminal's settings before the app changed them.
struct TerminalSettings {
  private let modes: termios
  private let output: Int32

  /// Reads the settings of the terminal on standard input; `nil` if that is not a terminal.
  init?() {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
    self.modes = modes
    output = isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDIN_FILENO
  }

  /// Whether the terminal has these settings now; `true` if it has gone.
  var areInEffect: Bool {
    var now = termios()
    guard tcgetattr(STDIN_FILENO, &now) == 0 else { return true }
    return (now.c_iflag, now.c_oflag, now.c_cflag, now.c_lflag)
      == (modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag)
  }

  /// Restores the settings, if this process is in the terminal's foreground process group.
  ///
  /// `page` says whether the worker showed the alternate screen; if the settings are in effect, the
  /// worker has left it already, and leaving it twice would move the cursor.
  func restore(after page: SharedCrashPage) {
    guard tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
    if page.isFullScreen, !areInEffect {
      // First the end of a picture that may be half written: its update, its scroll region.
      let text: StaticString =
        "\u{1b}[?2026l\u{1b}[r\u{1b}[?1006l\u{1b}[?1000l\u{1b}[?1049l"
      _ = write(output, text.utf8Start, text.utf8CodeUnitCount)
    }
    var modes = modes
    // TCSANOW: the others wait for output, and would block on a terminal that is stopped.
    _ = tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    // Ends bracketed paste, shows the cursor, resets the style, and erases what is below the
    // cursor.
    let text: StaticString = "\u{1b}[?2004l\u{1b}[?25h\u{1b}[0m\u{1b}[J"
    _ = write(output, text.utf8Start, text.utf8CodeUnitCount)
  }
}
