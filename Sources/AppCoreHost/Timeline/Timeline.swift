package import AppCheck
@_spi(Host) internal import AppCore
@_spi(Host) internal import Navigation
package import Sessions
internal import Support

/// A past step that is shown instead of the present state of the app.
struct RewoundState {
  let number: Int
  /// The number of the last step at the time of rewinding.
  let last: Int
  let state: AppState
  /// The instances that are suspended in it.
  let suspended: [InstanceID: SavedInstance]
  /// What can't be shown as it was, in a few words; `nil` if everything can.
  let losses: String?
}

/// The past of an app: its history or a recording, and the step that is shown.
///
/// An app that is rewound continues to run, effects included. One that shows a recording does not
/// run: no actions are reduced.
final class Timeline {
  let recorder: StepRecorder?
  /// The recording that is shown; `nil` for an app that runs.
  let recording: Recording?
  private(set) var rewound: RewoundState?
  /// The step of the recording that was replayed last, and the app as it was after that step.
  private var replayed: (step: Int, moment: AppMoment)?

  init(_ recorder: StepRecorder? = nil, _ recording: Recording? = nil) {
    self.recorder = recorder
    self.recording = recording
  }

  /// Whether the app runs and shows its present state.
  var isPresent: Bool { rewound == nil && recording == nil }

  func numbers(in app: isolated App) async -> Range<Int> {
    if recording == nil { await recorder?.settle() }
    return encodedNumbers
  }

  private var encodedNumbers: Range<Int> {
    recording?.numbers ?? recorder?.history.numbers ?? 1..<1
  }

  func step(_ number: Int, withoutSecrets: Bool = false) -> RecordedStep? {
    recording?.step(number)
      ?? recorder?.history.step(number, withoutSecrets: withoutSecrets)
  }

  /// The app after a step; `nil` if it is not in the history or the recording.
  func moment(after number: Int, withoutSecrets: Bool = false) -> AppMoment? {
    recording?.moment(after: number)
      ?? recorder?.history.moment(after: number, withoutSecrets: withoutSecrets)
  }

  /// Why there is no step to show.
  var noHistory: Rejection {
    let reason =
      if recording != nil {
        "the recording has no steps"
      } else if recorder?.store.options.hasHistory == true {
        "there are no steps yet"
      } else {
        "no steps are kept: the history is off, as with '--history-limit 0'"
      }
    return Rejection(.noHistory, reason)
  }

  /// Why the app can't be used while a past step is shown; `nil` if the present state is shown.
  var refusalToAct: Rejection? {
    guard let rewound else { return nil }
    guard recording == nil else { return .onlyShown }
    return Rejection(
      .rewound,
      "step \(rewound.number) is shown, where nothing can be pressed; ':now' shows the present, "
        + "':continue' makes this step the present one")
  }

  func rewind(to number: Int, in app: isolated App) async throws(Rejection) {
    let numbers = await numbers(in: app)
    guard !numbers.isEmpty else { throw noHistory }
    guard numbers.contains(number), let moment = moment(after: number) else {
      throw .noSuchStep(number, in: numbers)
    }
    try show(moment, step: number, in: app)
  }

  func show(
    _ moment: AppMoment, step: Int, in app: isolated App
  ) throws(Rejection) {
    rewound = try display(moment, step: step, in: app)
    app.run.screen.invalidate()
  }

  func showPresent(in app: isolated App) {
    rewound = nil
    app.run.screen.invalidate()
  }

  /// Shows the same past step again, with the features that run now, or else the present state.
  func showAgain(in app: isolated App) {
    guard let rewound else { return }
    showPresent(in: app)
    guard encodedNumbers.contains(rewound.number), let moment = moment(after: rewound.number) else {
      return
    }
    self.rewound = try? display(moment, step: rewound.number, in: app)
  }

  /// Restores the app at a moment from the recorded states, to show it only.
  private func display(
    _ moment: AppMoment, step: Int, in app: isolated App
  ) throws(Rejection) -> RewoundState {
    if let reason = crashOfShowing(step, in: app.current) { throw .notShown(step, reason: reason) }
    // Shared values are restored to those of the step, too.
    let image = image(of: moment, step: step, in: app)
    let result = withDependencies {
      $0.sharedStorage = .replaying()
    } operation: { () -> Result<(SessionPlan, StateRestorer), Rejection> in
      Result { () throws(Rejection) in try sessionPlan(of: image, step: step, in: app) }
    }
    let (plan, live) = try result.get()
    var ids: [InstanceID] = []
    let state = AppState(
      showing: plan.layout(live), in: app.graph, features: app.features, calls: app.calls,
      ids: &ids)
    return RewoundState(
      number: step, last: encodedNumbers.upperBound - 1, state: state,
      suspended: live.suspended.renumbered(plan.newIDs(ids)), losses: plan.losses)
  }

  /// Why a recorded step must not be shown; `nil` if it may be.
  ///
  /// The app crashed when it made the step's screen, with the build of the plugin that is loaded now.
  private func crashOfShowing(_ number: Int, in app: LoadedApp) -> String? {
    guard let recording,
      let crash = recording.facts.crashes.last(where: { $0.after == number })?.crash,
      crash.fields["call"]?.hasPrefix("screen(") == true, let plugin = crash.fields["plugin"],
      let recorded = recording.build(at: number).plugins.first(where: { $0.name == plugin }),
      let own = app.plugin(plugin)?.member,
      !recorded.digest.isEmpty, recorded.digest == own.digest
    else { return nil }
    return "this build of '\(plugin)' crashed when it made the screen"
  }

  private func image(of moment: AppMoment, step: Int, in app: isolated App) -> SessionImage {
    let build = recording?.build(at: step) ?? recorder?.store.header(of: step)
    return SessionImage(identity: build?.identity ?? app.current.imageIdentity, moment)
  }

  private func sessionPlan(
    of image: SessionImage, step: Int, in app: isolated App
  ) throws(Rejection) -> (SessionPlan, StateRestorer) {
    var suspensions = Suspensions()
    suspensions.plugins = app.factory?.suspended ?? [:]
    do throws(SessionPlan.StartFailure) {
      return try app.current.plan(image, app.features, app.calls, suspensions)
    } catch {
      throw .notShown(step, reason: error.reason)
    }
  }

  /// Continues the app from the past step that is shown.
  ///
  /// Running effects are cancelled; the restored instances run the effects of `didRestore`.
  func continueFromShown(in app: isolated App) async throws(Rejection) {
    guard let rewound else {
      throw Rejection(
        .notRewound, "the present is shown; ':rewind' or ':goto N' shows a past step")
    }
    guard recording == nil, let store = app.store else { throw .onlyShown }
    guard let moment = moment(after: rewound.number) else {
      throw .noSuchStep(rewound.number, in: await numbers(in: app))
    }
    let image = image(of: moment, step: rewound.number, in: app)
    let (plan, live) = try sessionPlan(of: image, step: rewound.number, in: app)
    showPresent(in: app)
    let restoration = Replacement(plan.layout(live))
    app.keeper.follow(restoration, plan, of: image, suspended: live.suspended, isPast: true)
    store.send(.restore(restoration))
    if let link = moment.waitingLink { app.open(waiting: link) }
  }

  /// Shows a step of the recording, and returns it with the app before and after it.
  ///
  /// For the step after the last one, only its changes are read.
  func replay(
    _ number: Int, in app: isolated App
  ) throws(Rejection) -> (step: RecordedStep, before: AppMoment, after: AppMoment) {
    guard let recording, let step = recording.step(number) else {
      throw .noSuchStep(number, in: recording?.numbers ?? 1..<1)
    }
    let before =
      if let replayed, replayed.step == number - 1 {
        replayed.moment
      } else {
        recording.moment(after: number - 1) ?? AppMoment()
      }
    var after = before
    // A keyframe before the step may differ from the app after the previous step.
    if after.apply(step.change) != nil || recording.beginsGroup(number) {
      after = recording.moment(after: number) ?? after
    }
    replayed = (number, after)
    try show(after, step: number, in: app)
    return (step, before, after)
  }
}

extension App {
  /// The state to show: that after the step the app is rewound to, or the present one.
  package var shownState: AppState { timeline.rewound?.state ?? state }

  package var stepRecorder: StepRecorder? { timeline.recorder }

  package func stepNumbers() async -> Range<Int> { await timeline.numbers(in: self) }

  /// Creates the plugins and shows the last step of a recording that can be shown.
  ///
  /// No effects run and no actions are reduced.
  ///
  /// - Throws: ``AppLoadError`` if a plugin can't be created or the step can't be shown.
  package func begin(replaying recording: Recording) throws(AppLoadError) {
    try createFeatures(AppRun(run.conversation, run.keeper, Timeline(nil, recording)))
    var reason = "the recording '\(recording.path)' has no steps"
    // The app may have crashed when it made the last screen.
    for number in recording.numbers.reversed().prefix(2) {
      guard let moment = recording.moment(after: number) else { break }
      do {
        return try timeline.show(moment, step: number, in: self)
      } catch {
        reason = error.message
      }
    }
    throw .start(reason: reason)
  }

  /// Reduces the actions of a recording again and compares their changes with the recorded ones.
  ///
  /// It stops at the first step that differs. Effects don't run, because the recording contains the
  /// actions that they sent. Reducers read the recorded dates, ids and random numbers. Shared
  /// values and files are in memory.
  ///
  /// - Returns: the result, also for a recording that can't be read.
  /// - Throws: ``AppLoadError`` if a plugin can't be created.
  package func check(_ path: String) throws(AppLoadError) -> ReplayOutcome {
    let reader: RecordingReader
    do throws(RecordingProblem) {
      reader = try RecordingReader(path: path)
    } catch {
      var outcome = ReplayOutcome()
      outcome.facts.problem = error
      return outcome
    }
    let run = AppRun()
    try createFeatures(run)
    let check = ReplayCheck(current, features, calls, reader.header)
    return withDependencies {
      $0.sharedStorage = .replaying()
      $0.fileSystem = .inMemory()
    } operation: {
      withExtendedLifetime(run) { check.run(reader) }
    }
  }
}
