@_spi(Host) internal import AppCore

/// What is shown of an instance whose feature is not called any more.
struct SuspendedScreen {
  /// What a person can do about it; in the order of the controls.
  enum Choice: Int, CaseIterable {
    case retry
    case data
    case back
  }

  /// What the controls of a screen send; the app answers them itself.
  private enum Action: FeatureAction {
    enum View: Codable, Sendable { case chosen }
    case view(View)
  }

  let title: String
  let feature: String
  let reason: String
  /// The instance's state, once somebody has asked for it.
  let data: String?

  var content: ScreenContent {
    Screen<Action>(title) { screen in
      screen.text("'\(feature)' is suspended: \(reason).", style: .warning)
      screen.text("Its data is kept, and everything else continues.")
      screen.button("Retry", id: "retry", action: .chosen)
      screen.button("Show its data", id: "data", action: .chosen)
      screen.button("Back", id: "back", action: .chosen)
      if let data { screen.text(data) }
    }.content
  }
}
