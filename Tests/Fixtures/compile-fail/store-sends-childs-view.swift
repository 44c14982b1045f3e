import AppCore

enum Parent: FeatureAction {
  enum View: Codable, Sendable { case tapped }
  case view(View)
  case editor(Editor.Action)
}

func press(_ store: Store<Int, Parent>) {
  // expect: scope it to send those of a child
  store.send(.editor(.view(.saveTapped)))
}
