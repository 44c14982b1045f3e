import AppCore

func screen(_ child: Screen<Editor.Action>) -> Screen<Silent> {
  Screen("Parent") { screen in
    // expect: missing argument for parameter #2 in call
    screen.embed(child)
  }
}

enum Silent: FeatureAction {
  case editor(Editor.Action)
}
