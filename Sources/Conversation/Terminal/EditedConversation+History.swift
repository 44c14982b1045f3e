internal import AppCoreHost
internal import Shell

// The commands that a terminal carries out by itself.
extension EditedConversation {
  /// The command that a line is, where it is one of the terminal's own.
  func terminalCommand(_ line: String) -> Command? {
    guard case .command(let command) = try? LineParser().parse(line),
      App.terminalCommands.contains(command.name)
    else { return nil }
    return command
  }

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
      // It could name itself only by another ':again', which is never kept.
      send(earlier)
    default: begin(.line)
    }
  }

  /// Takes the notices off the screen that a person has seen.
  private func clearNotices() {
    let (app, mailbox) = (app, mailbox)
    mailbox.toldCount = display.toldCount
    Task { mailbox.post(.frame(await mailbox.look(at: app))) }
  }
}
