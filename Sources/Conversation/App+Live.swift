@_spi(Host) internal import AppCore
internal import AppCoreHost
internal import Navigation
internal import Shell
internal import Support

// Screens that nobody asked for, printed for a program that follows the app.
extension App {
  /// The least time between two screens that come unasked.
  private static let liveInterval = Duration.milliseconds(34)

  /// Prints a screen whenever effects alone have changed it, until the app or the task ends.
  ///
  /// At most 30 are printed a second; the last one is the latest state always.
  func follow(printingTo output: ScriptOutput) async {
    for await _ in changes() {
      showChange(to: output)
      guard (try? await Task.sleep(for: Self.liveInterval)) != nil else { return }
    }
  }

  private func showChange(to output: ScriptOutput) {
    // A copy, so that a screen that is not printed has no number.
    var copy = session
    let screen = shellScreen(
      notices: notices(after: toldCount),
      isSettled: store?.activityAccount?.isSettled ?? true, cause: lastAction)
    let lines = copy.frame(screen)
    guard Self.content(of: lines) != printedContent else { return }
    session = copy
    didPrint(lines)
    output.print(lines)
  }

  /// Remembers what was printed, so that nothing is printed twice.
  func didPrint(_ lines: [String]) {
    toldCount = state.journal.count
    causeCount = log.count
    if session.settings.tellsCauses { printedContent = Self.content(of: lines) }
  }

  /// The last action since a screen was printed.
  private var lastAction: ScreenCause {
    let actions = actionRecords(after: causeCount).filter { $0.origin != .line }
    guard let action = actions.last else { return ScreenCause(origin: "effect") }
    return ScreenCause(
      origin: action.origin.rawValue, action: String(action.text.prefix(200)), node: action.node)
  }

  /// A screen without its number and its cause, which differ between screens that show the same.
  private static func content(of lines: [String]) -> String {
    lines.map { line in
      let rest = line.drop { $0 != "," }
      guard let cause = rest.firstRange(of: ",\"cause\":{"),
        let elements = rest[cause.upperBound...].firstRange(of: ",\"elements\":")
      else { return String(rest) }
      return String(rest[..<cause.lowerBound] + rest[elements.lowerBound...])
    }.joined()
  }
}
