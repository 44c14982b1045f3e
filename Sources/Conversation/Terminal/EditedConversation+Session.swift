internal import AppCoreHost
internal import LineEditor
internal import Sessions
internal import Support

// The beginning of a conversation, and what of it outlives the process.
extension EditedConversation {
  /// Says what runs, and has the first screen made; meanwhile keys wait.
  func greet() throws(InputOutputError) {
    if goesOn {
      // What the process before this one has written may end anywhere in a line.
      try output.write("\n")
    } else {
      display.add(lines: [SafeText.line(app.loaded.title), "Type a number, a label or :help.", ""])
    }
    watch.showFirst(in: mailbox)
  }

  /// Whether the app continues where another process has ended.
  private var goesOn: Bool { session?.image != nil }

  /// Shows the first screen, the line that was being typed and the keys that have waited.
  func begin(_ first: ShownFrame, told: String?) {
    if let told {
      display.add(lines: TextLayout.wrap("! " + told, to: display.size.columns) + [""])
    }
    display.show(first)
    if !first.isSettled { watchWork() }
    let (app, mailbox) = (app, mailbox)
    follower = Task { await mailbox.follow(app) }
    // Whoever typed before it showed means this screen.
    ahead = ahead.map { ($0.key, first.number) }
    begin(.line, keepingKeys: true)
    resumeLine()
  }

  /// Shows the line again that was being typed, and offers the one that was being carried out.
  private func resumeLine() {
    guard let session, goesOn else { return }
    let former = session.former
    if let line = former.sentLine { remember(line) }
    session.note { $0.sentLine = nil }
    guard !former.line.isEmpty else { return }
    editor.begin(editor.question, text: former.line)
    editor.moveCursor(to: former.cursor)
    seenScreen = display.screenNumber
  }

  /// Writes down the line that is being typed.
  func keepLine() {
    guard let session, follower != nil else { return }
    let (line, cursor) =
      if case .line = stage { (editor.text, editor.cursor) } else { ("", 0) }
    let isPrivate = display.asksForSecrets
    session.note { ($0.line, $0.cursor, $0.isLinePrivate) = (line, cursor, isPrivate) }
  }
}
