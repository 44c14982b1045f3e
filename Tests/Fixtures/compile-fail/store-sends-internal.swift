import AppCore

extension Home {
  func load() {
    // expect: a store is sent the feature's view actions only
    store.send(.internal(.loaded("text")))
  }
}
