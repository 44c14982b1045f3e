internal import Navigation
package import Sessions
internal import Shell
package import Support

/// A recording together with its app, which shows the screen after each step and its changes.
///
/// Ask for steps in order: for the step after the last one, only its changes are read.
///
/// ```swift
/// let recording = try Recording(path: "bug.recording")
/// let replay = try await ReplayedApp(recording, LoadedApp.load(recording.header.manifest.path))
/// for number in recording.numbers {
///   let step = try await replay.step(number)
///   print(step.step.text, step.path, step.screen, step.changes)
/// }
/// ```
package final class ReplayedApp: Sendable {
  /// A step with its screen and changes.
  package struct Step: Sendable {
    /// The recorded step.
    package let step: RecordedStep
    /// The screen after it, as the shell prints it without colours.
    package let screen: [String]
    /// The names of the nodes from the root to the current one.
    package let path: [String]
    /// The changes of the step, field by field.
    package let changes: [FieldChange]
    /// What can't be shown as it was, in a few words; `nil` if everything can.
    package let losses: String?
  }

  package let app: App
  package let recording: Recording

  /// Creates the plugins; no effects run and no actions are reduced.
  ///
  /// - Parameters:
  ///   - recording: the recording.
  ///   - loaded: the app; it may be another build than the recorded one.
  /// - Throws: ``AppLoadError`` if a plugin can't be created or the last step can't be shown.
  package init(_ recording: Recording, _ loaded: LoadedApp) async throws(AppLoadError) {
    self.recording = recording
    app = App(loaded)
    try await app.begin(replaying: recording)
    await app.converse(SessionSettings(format: .text(.plain)))
  }

  /// Shows a step.
  ///
  /// - Throws: why the step can't be shown.
  package func step(_ number: Int) async throws(Rejection) -> Step {
    try await app.replayed(number)
  }
}

extension App {
  fileprivate func replayed(_ number: Int) async throws(Rejection) -> ReplayedApp.Step {
    guard let recording, let step = recording.step(number) else {
      throw .noSuchStep(number, in: recording?.numbers ?? 1..<1)
    }
    let before: AppMoment
    if let last = replayMoment, last.step == number - 1 {
      before = last.moment
    } else {
      before = recording.moment(after: number - 1) ?? AppMoment()
    }
    var after = before
    // A keyframe before the step may differ from the app after the previous step.
    if after.apply(step.change) != nil || recording.beginsGroup(number) {
      after = recording.moment(after: number) ?? after
    }
    replayMoment = (number, after)
    rewound = try display(after, step: number, of: recording.numbers)
    invalidateScreen()
    let screen = shellScreen(notices: [], isSettled: true, marksRewinding: false)
    var lines = ShellSession(session.settings)
    return ReplayedApp.Step(
      step: step, screen: lines.frame(screen), path: path.names,
      changes: before.changes(to: after, of: step.change.ids), losses: rewound?.losses)
  }
}
