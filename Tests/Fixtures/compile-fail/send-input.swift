import AppCore

func save() -> Effect<Editor.Action> {
  .run { send in
    // expect: 'input' is unavailable: effects send internal and delegate actions only
    await send(.input(.reload))
  }
}
