@_spi(Host) package import AppCore

/// A screen as the shell gets it.
public struct ShellScreen {
  /// What the feature shows.
  package var content: ScreenContent
  /// Whose screen it is: equal for two screens of one instance, different for those of two.
  public var owner: String
  public var chrome: Chrome

  /// Creates a screen; of one that exceeds ``ScreenLimits`` the beginning.
  package init(_ content: ScreenContent, owner: String, chrome: Chrome = Chrome()) {
    self.content = content.bounded()
    self.owner = owner
    self.chrome = chrome
  }
}

/// The remembered parts of a printed screen, and of later ones with the same controls.
struct ShownScreen: Sendable {
  /// The number of the last of them.
  var number: Int
  let owner: String
  /// The control of each number, from 1.
  let controls: [NumberedControl]
  let numbers: [ControlIdentity: Int]
  private let first: Int

  init(number: Int, owner: String, controls: [NumberedControl]) {
    first = number
    self.number = number
    self.owner = owner
    self.controls = controls
    numbers = Dictionary(
      controls.map { ($0.identity, $0.number) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether it was the screen with this number.
  func wasScreen(_ number: Int) -> Bool { (first...self.number).contains(number) }
}
