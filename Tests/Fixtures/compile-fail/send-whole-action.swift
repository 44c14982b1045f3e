import AppCore

func save(_ action: Editor.Action) -> Effect<Editor.Action> {
  // expect: effects send internal and delegate actions of their own feature only
  .send(action)
}
