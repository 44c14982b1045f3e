import AppCore

@MainActor func press(_ home: Home) async {
  // expect: cannot exit actor-isolated context
  let store = await home.store
  store.send(.saveTapped)
}
