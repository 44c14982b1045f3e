import AppCore

enum Parent: FeatureAction {
  enum Internal: Sendable { case loaded }
  case `internal`(Internal)
  case editor(Editor.Action)
}

func load() -> Effect<Parent> {
  .run { send in
    // expect: to do something to a child change its state, or call a method that both reducers share
    await send(.editor(.internal(.loaded("text"))))
  }
}
