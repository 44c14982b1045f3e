internal import CrashReporting
internal import Glibc
internal import LineEditor
internal import Support

// What comes from outside of the line: another size, stopping and continuing.
extension EditedConversation {
  func resize() {
    let size = TerminalSize.of(StandardOutput.descriptor)
    guard size != display.size else { return }
    display.resize(size)
    let (app, mailbox) = (app, mailbox)
    Task {
      await app.resize(to: min(max(size.columns, 20), 1000), rows: size.rows)
      mailbox.post(.frame(await mailbox.look(at: app)))
    }
  }

  /// Ctrl-Z: the terminal is the shell's until the process continues.
  func suspend() {
    try? output.write(display.leave(editor: editor.finalRows(size: display.size)))
    TerminalModes.restore()
    ProcessSignals.stopJob()
    // Here it continues. Where nobody can make it continue, it never stopped.
    _ = events.next(within: 20, .nothing)
    resume()
  }

  /// Takes the terminal again and draws everything anew.
  func resume() {
    TerminalModes.enter(.keys, input: STDIN_FILENO, output: StandardOutput.descriptor)
    resize()
    display.redraw()
  }

  /// Ctrl-\: ends the process at once, as the terminal would have done.
  func quit() {
    TerminalModes.restore()
    ProcessSignals.end(by: SIGQUIT)
  }
}
