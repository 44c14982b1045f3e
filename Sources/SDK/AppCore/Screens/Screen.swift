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
  /// What is shown.
  @_spi(Host) public private(set) var content: ScreenContent
  typealias Respond = (ControlInput) -> Action?
  var responses: [Respond] = []
  var backAction: Action?

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
    content = ScreenContent(title: title)
    content.elements = builder.elements
    content.controlCount = builder.responses.count
    content.hasBackAction = back != nil
    responses = builder.responses
    backAction = back.map(Action.view)
  }

  /// The action that `input` to the control at `index` sends; `nil` where it can't.
  package func action(control index: Int, input: ControlInput) -> Action? {
    responses.indices.contains(index) ? responses[index](input) : nil
  }

  /// The action that takes the place of going back.
  package var back: Action? { backAction }
}
