internal import LineEditor
internal import Sessions
internal import Support

// The beginning of a conversation, and the part of it that is saved in the session.
extension EditedConversation {
  /// Prints a greeting and requests the first screen; until it is shown, keys are typed ahead.
  func greet() throws(InputOutputError) {
    if wasRestored {
      // The output of the previous process may have ended in the middle of a line.
      try output.write("\n")
    } else {
      display.add(lines: [SafeText.line(app.loaded.title), "Type a number, a label or :help.", ""])
    }
    watch.showFirst(in: mailbox)
  }

  /// Whether the app continues a session of a previous process.
  private var wasRestored: Bool { session?.image != nil }

  /// Shows the first screen, below the message `told` if there is one, and restores the line that
  /// was being typed.
  func begin(_ first: TerminalFrame, told: String?) {
    if let told {
      display.add(lines: TextLayout.wrap("! " + told, to: display.size.columns) + [""])
    }
    display.show(first)
    if !first.isSettled { watchWork() }
    let (app, mailbox) = (app, mailbox)
    follower = Task { await mailbox.follow(app) }
    // Keys that were typed before this screen was shown refer to it.
    typeAhead = typeAhead.map { ($0.key, first.number) }
    begin(.line, keepingKeys: true)
    resumeLine()
  }

  /// Restores the line that was being typed in the previous process, and adds the line that was
  /// being carried out to the history.
  private func resumeLine() {
    guard let session, wasRestored else { return }
    let former = session.former
    if let line = former.sentLine { remember(line) }
    session.update { $0.sentLine = nil }
    guard !former.line.isEmpty else { return }
    editor.begin(editor.question, text: former.line)
    editor.moveCursor(to: former.cursor)
    seenScreen = display.screenNumber
  }

  /// Saves the line that is being typed in the session.
  func keepLine() {
    guard let session, follower != nil else { return }
    let (line, cursor) =
      if case .line = stage { (editor.text, editor.cursor) } else { ("", 0) }
    let isPrivate = display.asksForSecrets
    session.update { $0.type(line, cursor: cursor, isPrivate: isPrivate) }
  }
}
