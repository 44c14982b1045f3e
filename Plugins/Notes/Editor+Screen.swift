internal import AppCore

extension Editor {
  func screen(_ state: State) -> Screen<Action> {
    Screen(title(state), back: .backTapped) { screen in
      if screen.confirmationDialog(state.leaving, /Action.leaving) { return }
      switch state.phase {
      case .reading:
        screen.progress("Reading the note")
      case .failed(_, let reason):
        screen.text("The note can't be read: \(reason).", style: .error)
        screen.button("Try again", id: "retry", action: .retryTapped)
      case .ready:
        writing(state, &screen)
      }
    }
  }

  private func title(_ state: State) -> String {
    guard case .ready = state.phase else { return "Note" }
    return state.file == nil && state.text.isEmpty ? "New note" : Note.title(of: state.text)
  }

  private func writing(_ state: State, _ screen: inout ScreenBuilder<Action>) {
    let (status, style) = status(state)
    screen.text(status, style: style)
    if let notice = state.notice { screen.text(notice, style: .warning) }
    screen.field(
      "Text", id: "text", text: state.text, placeholder: "as in: text = Milk", isMultiline: true,
      isEnabled: !state.isDeleting
    ) { .textChanged($0) }
    screen.field(
      "Line", id: "line", text: "", placeholder: "adds a line; as in: line = eggs",
      isEnabled: !state.isDeleting
    ) { .lineAdded($0) }
    // Enabled even when there is nothing to save: a script can't know whether the autosave has run.
    screen.button("Save now", id: "save", isEnabled: !state.isDeleting, action: .saveTapped)
    screen.button(
      "Delete", id: "delete",
      isEnabled: !state.isDeleting && (state.file != nil || !state.text.isEmpty),
      action: .deleteTapped)
    screen.button("Close", id: "close", action: .backTapped)
  }

  /// The line that says whether the text is on disk.
  private func status(_ state: State) -> (text: String, style: TextStyle) {
    if state.isDeleting { return ("Deleting", .secondary) }
    if state.saving != nil { return ("Saving", .secondary) }
    if let failure = state.failure {
      return ("Not saved: \(failure). The text is kept here.", .error)
    }
    if state.isUnsaved { return ("Not saved yet", .warning) }
    return state.file == nil ? ("Nothing to save yet", .secondary) : ("Saved", .success)
  }
}
