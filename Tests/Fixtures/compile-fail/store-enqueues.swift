import AppCore

extension Home {
  func load() {
    // expect: 'enqueue' is inaccessible due to 'package' protection level
    store.enqueue(.delegate(.saved))
  }
}
