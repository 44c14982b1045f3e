import AppCore

enum Parent: FeatureAction {
  enum Internal: Sendable { case loaded }
  case `internal`(Internal)
  case editor(Editor.Action)
}

func press() -> Effect<Parent> {
  // expect: contextual member reference to static method 'send' requires
  .send(.editor(.view(.saveTapped)))
}
