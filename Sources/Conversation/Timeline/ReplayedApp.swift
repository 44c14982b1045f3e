package import AppCoreHost
package import Diagnostics
internal import Navigation
internal import Shell
internal import Support
package import Timeline

/// A recording with the app that it is of: what was shown at each step, and what each step changed.
///
/// Steps are best asked for in order: the next one then costs what it changes, and its screen.
///
/// ```swift
/// let recording = try Recording(path: "bug.recording")
/// let replay = try await ReplayedApp(recording, LoadedApp.load(recording.header.manifest))
/// for number in recording.numbers {
///   let step = try await replay.step(number)
///   print(step.step.text, step.path, step.screen, step.changes)
/// }
/// ```
package final class ReplayedApp: Sendable {
  /// What there is of a step.
  package struct Step: Sendable {
    /// The step as it is in the recording.
    package let step: RecordedStep
    /// The screen after it, as the shell prints it without colours.
    package let screen: [String]
    /// The names of the nodes from the root to the screen.
    package let path: [String]
    /// What it changed, field by field.
    package let changes: [FieldChange]
    /// What can't be shown as it was, in a few words; `nil` where all can.
    package let losses: String?
  }

  package let app: App
  package let recording: Recording

  /// Makes the plugins; no effect is run, and no action is reduced.
  ///
  /// - Parameters:
  ///   - recording: the recording.
  ///   - loaded: the app, which need not be the same build.
  /// - Throws: ``AppLoadError`` where a plugin can't be made, or nothing can be shown.
  package init(_ recording: Recording, _ loaded: LoadedApp) async throws(AppLoadError) {
    self.recording = recording
    app = App(loaded)
    try await app.begin(replaying: recording)
    await app.converse(SessionSettings(format: .text(.plain)))
  }

  /// What there is of a step.
  ///
  /// - Throws: why it can't be shown.
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
    // All of the app takes its place where the recording says so.
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
      changes: before.changes(to: after, of: step.changedInstances), losses: rewound?.losses)
  }
}
