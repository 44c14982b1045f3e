import AppCore

enum Parent: FeatureAction {
  enum View: Codable, Sendable { case tapped }
  case view(View)
  case editor(Editor.Action)
}

func press(_ store: Store<Int, Parent>) {
  // expect: type 'Parent.View' has no member 'editor'
  store.send(.editor(.view(.saveTapped)))
}
