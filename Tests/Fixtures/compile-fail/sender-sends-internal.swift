import AppCore

func load(_ sender: ActionSender<Editor.Action>) async {
  // expect: a store is sent the feature's view actions only
  await sender.send(.internal(.loaded("text")))
}
