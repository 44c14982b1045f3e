@_spi(Host) public import AppCore
public import AppCoreHost
internal import Shell

/// The current screen in both of its forms.
public struct ScreenReading: Sendable {
  /// What a person sees, without newlines.
  public let lines: [String]
  /// What a program reads: the object that `--json` prints.
  public let value: Value
}

extension App {
  /// The screen as it is now, read and thereby shown: its numbers are those that lines mean.
  ///
  /// - Parameter count: events after so many are shown as notices.
  /// - Returns: the screen, as lines and as a value.
  public func readScreen(noticesAfter count: Int) -> ScreenReading {
    let screen = shellScreen(
      notices: notices(after: count), isSettled: store?.activityAccount?.isSettled ?? true)
    let value = session.value(of: screen)
    return ScreenReading(lines: session.frame(screen), value: value)
  }
}
