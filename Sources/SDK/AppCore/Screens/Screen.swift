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
  private(set) var title: String
  let parts: [ScreenPart<Action>]
  let backAction: Action?
  /// What the identifiers of its controls begin with on its parent's screen.
  private(set) var id: String?

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

  /// The same screen with another title, for a parent that shows several of its kind.
  ///
  /// ```swift
  /// enum LampAction: FeatureAction {
  ///   enum View: Codable, Sendable { case switched }
  ///   case view(View)
  /// }
  /// enum Action: FeatureAction { case left(LampAction), right(LampAction) }
  ///
  /// func lamp() -> Screen<LampAction> {
  ///   Screen("Lamp") { $0.button("Switch", id: "switch", action: .switched) }
  /// }
  ///
  /// func screen() -> Screen<Action> {
  ///   Screen("Lamps") { screen in
  ///     screen.embed(lamp().titled("Left", id: "left"), /Action.left)
  ///     screen.embed(lamp().titled("Right", id: "right"), /Action.right)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - title: the title of the section that it becomes.
  ///   - id: what the identifiers of its controls begin with there: `switch` becomes `left.switch`.
  /// - Returns: the screen to embed.
  public func titled(_ title: String, id: String) -> Self {
    var screen = self
    screen.title = title
    screen.id = id
    return screen
  }

  /// What is shown.
  ///
  /// - Complexity: O(n) in the elements, those of children included.
  @_spi(Host) public var content: ScreenContent { assembled().content }
}
