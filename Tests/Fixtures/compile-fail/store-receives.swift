import AppCore

extension Home {
  func load() {
    // expect: 'receive' is inaccessible due to 'internal' protection level
    store.receive(.delegate(.saved))
  }
}
