import AppCore

extension Home {
  func load() {
    // expect: 'node' is inaccessible due to 'internal' protection level
    store.node.send(.delegate(.saved))
  }
}
