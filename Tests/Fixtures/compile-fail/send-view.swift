import AppCore

func save() -> Effect<Editor.Action> {
  .run { send in
    // expect: 'view' is unavailable: effects send internal and delegate actions only
    await send(.view(.saveTapped))
  }
}
