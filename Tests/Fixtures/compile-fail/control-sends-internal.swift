import AppCore

func screen() -> Screen<Editor.Action> {
  Screen("Editor") { screen in
    // expect: type 'Editor.Action.View' has no member 'internal'
    screen.field("Text", text: "") { .internal(.loaded($0)) }
  }
}
