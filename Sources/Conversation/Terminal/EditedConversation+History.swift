internal import AppCoreHost
internal import Shell

// The commands that a terminal carries out without the app.
extension EditedConversation {
  /// The command in a line, if it is one of ``App/terminalCommands``; otherwise `nil`.
  func terminalCommand(_ line: String) -> Command? {
    guard case .command(let command) = try? LineParser().parse(line),
      App.terminalCommands.contains(command.name)
    else { return nil }
    return command
  }

  /// Carries out one of ``App/terminalCommands``.
  func carryOut(_ command: Command, _ line: String) {
    clearNotices()
    switch command {
    case .history(let text):
      display.add(lines: history.listing(holding: text))
      remember(line)
      begin(.line)
    case .again(let number):
      guard let earlier = history.line(number: number) else {
        display.add(lines: ["✗ the history has no line \(number); ':history' lists them"])
        return begin(.line)
      }
      stage = .line
      // ':again' is never added to the history, so this does not recurse endlessly, unless somebody
      // has added it to the history file.
      send(earlier)
    default: begin(.line)
    }
  }

  /// Removes the notices that the user has seen from the screen.
  private func clearNotices() {
    let (app, mailbox) = (app, mailbox)
    mailbox.toldCount = display.toldCount
    Task { mailbox.post(.frame(await mailbox.look(at: app))) }
  }
}
