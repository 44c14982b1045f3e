/// The screen of a feature: lines and controls, built from its state after each change.
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
/// Controls send only view actions; the compiler rejects every other kind.
public struct Screen<Action: FeatureAction> {
  private(set) var title: String
  let parts: [ScreenPart<Action>]
  let backAction: Action?
  /// The prefix of its controls' identifiers on its parent's screen; `nil` for none.
  private(set) var id: String?

  /// Creates a screen, which `build` fills from top to bottom.
  ///
  /// Its title is also shown in the path. `back` is a view action that is sent instead of going back,
  /// as for "discard changes?".
  public init(
    _ title: String, back: Action.View? = nil, build: (inout ScreenBuilder<Action>) -> Void
  ) {
    var builder = ScreenBuilder<Action>()
    build(&builder)
    self.title = title
    parts = builder.parts
    backAction = back.map(Action.view)
  }

  /// The same screen with another title, for a parent that embeds several of its kind, whose controls
  /// there have identifiers that begin with `id`: `switch` becomes `left.switch`.
  public func titled(_ title: String, id: String) -> Self {
    var screen = self
    screen.title = title
    screen.id = id
    return screen
  }

  /// The content of the screen.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements, including those of children.
  @_spi(Host) public var content: ScreenContent { assembled().content }
}
