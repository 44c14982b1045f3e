import AppCore

enum Button: Codable, Sendable { case delete }

func screen(_ alert: AlertState<Button>?) -> Screen<Editor.Action> {
  Screen("Editor") { screen in
    // expect: to expected argument type
    screen.alert(alert, /Editor.Action.internal)
  }
}
