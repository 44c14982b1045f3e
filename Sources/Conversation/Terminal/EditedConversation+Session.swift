internal import AppCoreHost
internal import LineEditor
internal import Sessions
internal import Support

// What of a conversation outlives the process.
extension EditedConversation {
  /// Says what runs, or how it goes on, and makes the first screen.
  func greet() throws(InputOutputError) -> ShownFrame {
    let app = app
    guard waitFor({ await app.goesOn }) else {
      try output.write(lines: [
        SafeText.line(app.loaded.title), "Type a number, a label or :help.", "",
      ])
      let patience = Self.patience
      let first = waitFor { await app.lookFirst(within: patience) }
      waitFor { _ = await app.outliving?.firstScreenShows() }
      return first
    }
    let (first, told) = waitFor { await app.lookAgain() }
    // What the process before it has written may end anywhere in a line.
    try output.write("\n")
    if let told {
      try output.write(lines: TextLayout.wrap("! " + told, to: display.size.columns) + [""])
    }
    return first
  }

  /// Shows the line again that was being typed, and offers the one that was being carried out.
  func resumeLine() {
    let app = app
    session = waitFor { await app.outliving }
    guard let session, session.image != nil else { return }
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
    guard let session else { return }
    let (line, cursor) =
      if case .line = stage { (editor.text, editor.cursor) } else { ("", 0) }
    session.note { ($0.line, $0.cursor) = (line, cursor) }
  }
}
