import AppCore

func save(_ editor: Editor) -> Effect<Editor.Action> {
  .run { send in
    // expect: result of call to 'reload()' is unused
    editor.reload()
    await send(.delegate(.saved))
  }
}
