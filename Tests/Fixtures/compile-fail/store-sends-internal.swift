import AppCore

extension Home {
  func load() {
    // expect: type 'Editor.Action.View' has no member 'internal'
    store.send(.internal(.loaded("text")))
  }
}
