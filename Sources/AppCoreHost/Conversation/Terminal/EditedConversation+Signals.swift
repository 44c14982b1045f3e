internal import Glibc
internal import LineEditor
internal import Supervision
internal import Support

// Events other than lines: a new size of the terminal, suspending, continuing and quitting.
extension EditedConversation {
  /// Adapts to a changed size of the terminal.
  func resize() {
    let size = TerminalSize.of(StandardOutput.descriptor)
    guard size != display.size else { return }
    display.resize(size)
    let (app, mailbox) = (app, mailbox)
    Task {
      await app.resize(to: min(max(size.columns, 20), 1000), rows: size.rows)
      mailbox.post(.frame(await mailbox.renderFrame(of: app)))
    }
  }

  /// Ctrl-Z: restores the terminal and stops the process group; takes the terminal over again when
  /// the process continues.
  func suspend() {
    try? output.write(display.leave(editor: editor.finalRows(size: display.size)))
    TerminalModes.restore()
    ProcessSignals.stopJob()
    // The process stops during this wait at the latest. It does not stop if no parent shell could
    // continue it. The notice that it continues must not cause a second screen.
    var quietWaits = 0
    while quietWaits < 5 {
      let event = events.next(within: 20, .nothing)
      if event == .continued { break }
      if event == .timedOut, !ProcessSignals.isStopping { quietWaits += 1 }
    }
    resume()
  }

  /// Takes the terminal over again, and redraws everything.
  func resume() {
    TerminalModes.enter(.keys, input: STDIN_FILENO, output: StandardOutput.descriptor)
    resize()
    display.redraw()
  }

  /// Ctrl-\: ends the process at once with SIGQUIT, as the terminal driver would.
  func quit() {
    TerminalModes.restore()
    ProcessSignals.end(by: SIGQUIT)
  }
}
