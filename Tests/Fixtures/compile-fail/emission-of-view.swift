import AppCore

func save() -> Emission<Editor.Action> {
  // expect: initializer is inaccessible due to 'internal' protection level
  Emission(action: .view(.saveTapped))
}
