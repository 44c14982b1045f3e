import AppCore

func screen() -> Screen<Editor.Action> {
  Screen("Editor") { screen in
    // expect: type 'Editor.Action.View' has no member 'delegate'
    screen.button("Save", action: .delegate(.saved))
  }
}
