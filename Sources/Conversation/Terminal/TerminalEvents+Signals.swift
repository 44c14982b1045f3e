internal import CrashReporting
internal import Glibc
internal import LineEditor

// Signals reach whoever waits at a terminal as notices.
extension TerminalEvents {
  /// Asks for notices of a new size and of continuing, and of Ctrl-C where `interrupts`.
  ///
  /// What ends or stops the process gives the terminal back from now on.
  func beginNotices(interrupts: Bool) {
    // What handlers use is made before there are any.
    TerminalModes.restore()
    ProcessSignals.guardTerminal {
      TerminalModes.restoreInHandler(forGood: $0)
    } retake: {
      TerminalModes.retakeInHandler()
    }
    var notices = [SIGWINCH: Notice.resized.rawValue, SIGCONT: Notice.continued.rawValue]
    if interrupts { notices[SIGINT] = Notice.interrupted.rawValue }
    ProcessSignals.forward(notices, to: noticeDescriptor)
  }

  /// Ctrl-C ends the process again.
  func endNotices() { ProcessSignals.stopForwarding() }
}
