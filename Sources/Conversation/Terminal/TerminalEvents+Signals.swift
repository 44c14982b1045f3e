internal import CrashReporting
internal import Glibc
internal import LineEditor

// Signals become notices, which ``next(within:_:)`` returns as events.
extension TerminalEvents {
  /// Starts notices of a new size, of continuing, and if `interrupts`, of Ctrl-C.
  ///
  /// From now on, signals that end or stop the process restore the terminal first.
  func beginNotices(interrupts: Bool) {
    // Initializes the globals that signal handlers use.
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

  /// Stops the notices; Ctrl-C ends the process again.
  func endNotices() { ProcessSignals.stopForwarding() }
}
