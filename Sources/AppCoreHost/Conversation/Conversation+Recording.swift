@_spi(Host) internal import AppCore
internal import Navigation
package import Sessions
internal import Shell
package import Support

/// A step of a recording with its screen and changes.
package struct ReplayedStep: Sendable {
  package let step: RecordedStep
  /// The screen after it, as the shell prints it without colours.
  package let screen: [String]
  /// The names of the nodes from the root to the current one.
  package let path: [String]
  package let changes: [FieldChange]
  /// What can't be shown as it was, in a few words; `nil` if everything can.
  package let losses: String?
}

extension App {
  /// Creates an app that shows the steps of a recording.
  ///
  /// The plugins may be other builds than the recorded ones; no effects run and no actions are
  /// reduced.
  ///
  /// - Throws: ``AppLoadError`` if a plugin can't be created or the last step can't be shown.
  package static func replaying(
    _ recording: Recording, _ loaded: LoadedApp
  ) async throws(AppLoadError) -> App {
    let app = App(loaded)
    try await app.begin(replaying: recording)
    await app.converse(SessionSettings(format: .text(.plain)))
    return app
  }

  /// Shows a step of the recording.
  ///
  /// Ask for steps in order: for the step after the last one, only its changes are read.
  ///
  /// - Throws: why the step can't be shown.
  package func replay(_ number: Int) throws(Rejection) -> ReplayedStep {
    let (step, before, after) = try timeline.replay(number, in: self)
    return ReplayedStep(
      step: step, screen: conversation.frame(ofStepIn: self), path: path.names,
      changes: before.changes(to: after, of: step.change.ids), losses: timeline.rewound?.losses)
  }
}

// What is made of a recording that an app shows.
extension Conversation {
  /// The lines of a script that repeats a recording, with expectations about the screens.
  ///
  /// From the first step that an effect caused, or that read the date, an id or a random number,
  /// the script expects only the titles of screens, because the rest may differ in each run.
  ///
  /// The lines have no newlines.
  func script(of recording: Recording, in app: isolated App) -> [String] {
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
        (try? app.timeline.show(moment, step: number, in: app)) != nil
      else { return }
      let (lines, texts) = expectations(isCertain: isCertain, without: seen, in: app)
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
          recording.facts.crashes.contains { $0.after == number - 1 }
            ? "# here the app was restored after a crash; the script ends"
            : "# here the app continued from an earlier step; the script ends")
        return script
      }
      if step.origin == .effect || !step.readings.isEmpty { isCertain = false }
      last = number
      for (_, crash) in recording.facts.crashes.filter({ $0.after == number }) {
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

  /// The lines of a script that expect the current screen, and all texts of the screen.
  ///
  /// `isCertain` is whether its path and texts are the same in each run; those in `seen` are not
  /// worth expecting, because the last screen had them, too.
  private func expectations(
    isCertain: Bool, without seen: Set<String>, in app: isolated App
  ) -> (lines: [String], texts: Set<String>) {
    let screen = screen(of: app, marksRewinding: false)
    let texts = session.texts(of: screen)
    var lines: [String] = []
    if isCertain, app.positionRemark == nil {
      lines.append(":expect-path " + app.position(isFull: true))
    }
    let title = screen.content.title
    func canBeExpected(_ text: String) -> Bool {
      !text.isEmpty && !text.contains(SecretTexts.mark)
    }
    if canBeExpected(title) { lines.append(":expect " + JSONTree.quote(title)) }
    if isCertain {
      lines += texts.filter {
        canBeExpected($0) && $0 != title && !seen.contains($0) && $0.count < 200
      }
      .prefix(2).map { ":expect " + JSONTree.quote($0) }
    }
    return (lines, Set(texts))
  }
}
