import AppCore

enum Parent: FeatureAction {
  enum Internal: Sendable { case loaded }
  case `internal`(Internal)
  case editor(Editor.Action)
}

func press() -> Effect<Parent> {
  // expect: to do something to a child change its state, or call a method that both reducers share
  .send(.editor(.view(.saveTapped)))
}
