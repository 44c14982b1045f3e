@_spi(Host) public import AppCore
internal import Shell

/// The current screen, as lines and as a value.
public struct ScreenReading: Sendable {
  /// The lines that a user sees, without newlines.
  public let lines: [String]
  /// The object that `--json` prints, for programs.
  public let value: Value
}

extension App {
  /// Renders the current screen; numbers in later lines refer to its controls.
  ///
  /// - Parameter count: the number of events in the journal that were reported already; later ones
  ///   are shown as notices.
  /// - Returns: the screen, as lines and as a value.
  public func readScreen(noticesAfter count: Int) -> ScreenReading {
    let screen = shellScreen(
      notices: notices(after: count), isSettled: store?.activityAccount.isSettled ?? true)
    let value = session.value(of: screen)
    return ScreenReading(lines: session.frame(screen), value: value)
  }
}
