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
