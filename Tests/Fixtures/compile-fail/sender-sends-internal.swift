import AppCore

func load(_ sender: ActionSender<Editor.Action>) async {
  // expect: type 'Editor.Action.View' has no member 'internal'
  await sender.send(.internal(.loaded("text")))
}
