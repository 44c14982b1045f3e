import AppCore

func save() -> Effect<Editor.Action> {
  // expect: 'view' is unavailable: effects send internal and delegate actions only
  .send(.view(.saveTapped))
}
