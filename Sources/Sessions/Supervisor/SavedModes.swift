internal import Glibc

/// The settings of the terminal before an app ran on it.
struct SavedModes {
  private let modes: termios
  private let output: Int32

  /// The settings of the terminal behind standard input; `nil` where there is none.
  init?() {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
    self.modes = modes
    output = isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDIN_FILENO
  }

  /// Gives the terminal its settings back, where it is this process's to set.
  func restore() {
    guard tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
    var modes = modes
    // TCSANOW: nothing waits for a terminal that has stopped.
    _ = tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    // Pastes unmarked, the cursor visible, plain letters, nothing below the cursor.
    let text: StaticString = "\u{1b}[?2004l\u{1b}[?25h\u{1b}[0m\u{1b}[J"
    _ = write(output, text.utf8Start, text.utf8CodeUnitCount)
  }
}
