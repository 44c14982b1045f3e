import AppCore

func save() -> Effect<Editor.Action> {
  // expect: 'input' is unavailable: effects send internal and delegate actions only
  .send(.input(.reload))
}
