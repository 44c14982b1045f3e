internal import Glibc
internal import LineEditor
internal import Supervision

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
    OwnDescriptors.watch(descriptors, "pipe of events")
  }

  /// Stops the notices; Ctrl-C ends the process again.
  ///
  /// If other code has closed the terminal, the conversation has ended because of that, and the
  /// process ends here.
  func endNotices() {
    OwnDescriptors.endIfClosed()
    OwnDescriptors.unwatch(descriptors)
    ProcessSignals.stopForwarding()
  }

  private var descriptors: [Int32] { [pipeEnd, noticeDescriptor] }
}
