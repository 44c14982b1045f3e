/// What a feature shows: lines and controls, made from its state whenever that has changed.
///
/// ```swift
/// enum Action: FeatureAction {
///   enum View: Codable, Sendable { case addTapped }
///   case view(View)
/// }
///
/// func screen(_ count: Int) -> Screen<Action> {
///   Screen("Counter") { screen in
///     screen.text("The count is \(count).")
///     screen.button("Add one", id: "add", action: .addTapped)
///   }
/// }
/// ```
///
/// Controls send view actions and nothing else; the compiler refuses every other kind.
public struct Screen<Action: FeatureAction> {
  let title: String
  let parts: [ScreenPart<Action>]
  let backAction: Action?

  /// Creates a screen and fills it.
  ///
  /// - Parameters:
  ///   - title: shown above everything else, and in the path.
  ///   - back: the view action that takes the place of going back, as in "discard changes?".
  ///   - build: adds what is shown, from top to bottom.
  public init(
    _ title: String, back: Action.View? = nil, build: (inout ScreenBuilder<Action>) -> Void
  ) {
    var builder = ScreenBuilder<Action>()
    build(&builder)
    self.title = title
    parts = builder.parts
    backAction = back.map(Action.view)
  }

  /// What is shown.
  ///
  /// - Complexity: O(n) in the elements, those of children included.
  @_spi(Host) public var content: ScreenContent { assembled().content }
}
