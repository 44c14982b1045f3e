import AppCore

func save(_ action: Editor.Action) -> Effect<Editor.Action> {
  // expect: contextual member reference to static method 'send' requires
  .send(action)
}
