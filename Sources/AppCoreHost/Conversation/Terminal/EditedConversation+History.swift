internal import Shell

// The commands that a terminal carries out without the app.
extension EditedConversation {
  /// The command in a line, if it is one of ``Conversation/terminalCommands``; otherwise `nil`.
  func terminalCommand(_ line: String) -> Command? {
    guard case .command(let command) = try? LineParser().parse(line),
      command.isOfTerminal
    else { return nil }
    return command
  }

  /// Carries out one of ``Conversation/terminalCommands``.
  func carryOut(_ command: Command, _ line: String) {
    clearNotices()
    switch command {
    case .history(let text):
      display.add(lines: history.listing(holding: text))
      remember(line)
      begin(.line)
    case .again(let number):
      do throws(NotRepeatable) {
        let earlier = try history.repeatedLine(number)
        stage = .line
        send(earlier)
      } catch {
        display.add(lines: [error.description])
        begin(.line)
      }
    default: begin(.line)
    }
  }

  /// Removes the notices that the user has seen from the screen.
  private func clearNotices() {
    let (app, mailbox) = (app, mailbox)
    mailbox.seenEventCount = display.seenEventCount
    Task { mailbox.post(.frame(await mailbox.renderFrame(of: app))) }
  }
}
