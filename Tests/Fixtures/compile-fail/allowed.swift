import AppCore

// The allowed ways to do what the other snippets try.

func effects(_ editor: Editor) -> Effect<Editor.Action> {
  .merge(
    .send(.internal(.loaded("text"))),
    .send(.delegate(.saved)),
    editor.reload(),
    .run { send in
      await send(.internal(.loaded("text")))
      await send(.delegate(.saved))
    })
}

func screen() -> Screen<Editor.Action> {
  Screen("Editor") { $0.button("Save", action: .saveTapped) }
}

extension Home {
  func press() { store.send(.saveTapped) }
}

@MainActor func press(_ home: Home) async { await home.press() }

extension Home {
  var sender: ActionSender<Editor.Action> { store.sender }
}

@MainActor func pressFromElsewhere(_ home: Home) async {
  await home.sender.send(.saveTapped)
}
