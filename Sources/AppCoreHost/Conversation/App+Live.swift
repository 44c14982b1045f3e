@_spi(Host) internal import AppCore
internal import Navigation
internal import Sessions
internal import Shell
internal import Support

// Screens that effects cause, printed for a program that follows the app.
extension App {
  /// The minimum time between two of these screens.
  private static let liveInterval = Duration.milliseconds(34)

  /// Prints the screen whenever effects have changed it, until the app ends or the task is
  /// cancelled.
  ///
  /// At most 30 screens are printed per second; the last one always shows the latest state.
  func follow(printingTo output: ScriptOutput) async {
    for await _ in changes() {
      showChange(to: output)
      guard (try? await Task.sleep(for: Self.liveInterval)) != nil else { return }
    }
  }

  /// Prints the screen with the last action as its cause, if it has changed since it was printed or
  /// has a new notice.
  func showChange(to output: ScriptOutput) {
    // A copy, so that a screen that is not printed does not use up a number.
    var copy = session
    let notices = notices(after: seenEventCount)
    let screen = shellScreen(
      notices: notices,
      isSettled: store?.activityAccount.isSettled ?? true, cause: lastAction)
    let lines = copy.frame(screen)
    guard !notices.isEmpty || Self.content(of: lines) != printedContent else { return }
    session = copy
    didPrint(lines)
    output.print(lines)
  }

  /// Prints the screen after a crash, which uses a number of its own.
  func showRestored(to output: ScriptOutput) {
    showChange(to: output)
    appSession?.noteScript { $0.screen = session.screenNumber }
  }

  /// Records that a screen was printed, so that neither it nor its notices are printed again.
  func didPrint(_ lines: [String]) {
    seenEventCount = state.journal.count
    printedLogCount = log.count
    if session.settings.includesCauses { printedContent = Self.content(of: lines) }
  }

  /// The last action since a screen was printed, as the cause of the next one.
  private var lastAction: ScreenCause {
    let actions = actionRecords(after: printedLogCount).filter { $0.origin != .line }
    guard let action = actions.last else { return ScreenCause(origin: "effect") }
    return ScreenCause(
      origin: action.origin.rawValue, action: String(action.text.prefix(200)), node: action.node)
  }

  /// The JSON of a screen without its number, its notices and its cause, to compare it with other
  /// screens.
  private static func content(of lines: [String]) -> String {
    lines.map { line in
      var rest = String(line.drop { $0 != "," })
      // In strings, quotation marks are escaped: these are the fields themselves.
      for (start, end) in [
        (",\"notices\":[", ",\"settled\":"), (",\"cause\":{", ",\"elements\":"),
      ] {
        guard let field = rest.firstRange(of: start),
          let next = rest[field.upperBound...].firstRange(of: end)
        else { continue }
        rest.removeSubrange(field.lowerBound..<next.lowerBound)
      }
      return rest
    }.joined()
  }
}
