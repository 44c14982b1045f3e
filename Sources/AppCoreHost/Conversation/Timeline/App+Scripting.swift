@_spi(Host) internal import AppCore
internal import Navigation
package import Sessions
internal import Shell
internal import Support

// Converting a recording to a script.
extension App {
  /// The lines of a script that repeats a recording, with expectations about the screens.
  ///
  /// From the first step that an effect caused, or that read the date, an id or a random number,
  /// the script expects only the titles of screens, because the rest may differ in each run.
  ///
  /// - Parameter recording: the recording that the app shows.
  /// - Returns: the lines, without newlines.
  package func script(of recording: Recording) async -> [String] {
    var script = ["# Made of a recording of '\(recording.header.app)'."]
    if recording.numbers.lowerBound > 1 {
      script.append(
        "# It begins with step \(recording.numbers.lowerBound); type before it what led there.")
    }
    var isCertain = true
    var seen: Set<String> = []
    var last: Int?
    func expect() {
      guard let number = last, let moment = recording.moment(after: number),
        let state = try? display(moment, step: number, of: recording.numbers)
      else { return }
      rewound = state
      invalidateScreen()
      let (lines, texts) = expectations(isCertain: isCertain, without: seen)
      script += lines
      seen = texts
    }
    for number in recording.numbers {
      guard let step = recording.step(number) else { continue }
      if !step.lines.isEmpty || step.text == AppAction.ending {
        expect()
        last = nil
      }
      if step.text == AppAction.ending { break }
      script += step.repeatableLines.flatMap(\.scriptLines)
      if step.text == AppAction.continuation {
        expect()
        script.append(
          recording.crashes.contains { $0.after == number - 1 }
            ? "# here the app was restored after a crash; the script ends"
            : "# here the app continued from an earlier step; the script ends")
        return script
      }
      if step.origin == .effect || !step.readings.isEmpty { isCertain = false }
      last = number
      for (_, crash) in recording.crashes.filter({ $0.after == number }) {
        let lines = crash.scriptLines
        guard !lines.isEmpty else { continue }
        expect()
        last = nil
        script += lines
        script.append("# the app was \(SafeText.line(crash.text))")
      }
    }
    expect()
    return script
  }

  /// The lines of a script that expect the current screen.
  ///
  /// - Parameters:
  ///   - isCertain: whether the path and texts of the screen are the same in each run.
  ///   - seen: texts that are not worth expecting, because the last screen had them, too.
  /// - Returns: the lines, and all texts of the screen.
  private func expectations(
    isCertain: Bool, without seen: Set<String>
  ) -> (lines: [String], texts: Set<String>) {
    let screen = shellScreen(notices: [], isSettled: true, marksRewinding: false)
    let texts = session.texts(of: screen)
    var lines: [String] = []
    if isCertain, positionRemark == nil {
      lines.append(":expect-path " + position(isFull: true))
    }
    let title = screen.content.title
    func canBeExpected(_ text: String) -> Bool {
      !text.isEmpty && !text.contains(SecretTexts.mark)
    }
    if canBeExpected(title) { lines.append(":expect " + JSONWriter.quote(title)) }
    if isCertain {
      lines += texts.filter {
        canBeExpected($0) && $0 != title && !seen.contains($0) && $0.count < 200
      }
      .prefix(2).map { ":expect " + JSONWriter.quote($0) }
    }
    return (lines, Set(texts))
  }
}
