import AppCore

func screen() -> Screen<Editor.Action> {
  // expect: type 'Editor.Action.View?' has no member 'delegate'
  Screen("Editor", back: .delegate(.saved)) { _ in }
}
