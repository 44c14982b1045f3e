import AppCore

@MainActor func press(_ home: Home) {
  // expect: actor-isolated property 'store' can not be referenced from the main actor
  home.store.send(.saveTapped)
}
