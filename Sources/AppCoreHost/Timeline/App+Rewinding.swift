@_spi(Host) internal import AppCore
@_spi(Host) package import Navigation
package import Sessions
package import Support

/// A past step that is shown instead of the present state of the app.
package struct RewoundState {
  /// The number of the step.
  package let number: Int
  /// The number of the last step at the time of rewinding.
  package let last: Int
  /// The app after the step.
  package let state: AppState
  /// The original identifiers of the shown instances.
  package let restoredIDs: [InstanceID: InstanceID]
  /// What can't be shown as it was, in a few words; `nil` if everything can.
  package let losses: String?
}

// Showing past steps without changing the present state of the app.
extension App {
  /// The state to show: that after the step the app is rewound to, or the present one.
  package var shownState: AppState { rewound?.state ?? state }

  /// The numbers of the steps that can be shown, once all steps so far are encoded.
  package func stepNumbers() async -> Range<Int> {
    if let recording { return recording.numbers }
    await timeline?.settle()
    return timeline?.withHistory(\.numbers) ?? 1..<1
  }

  /// The step with a number; `nil` if it is not in the history or the recording.
  package func step(_ number: Int) -> RecordedStep? {
    recording?.step(number) ?? timeline?.withHistory { $0 }.step(number)
  }

  /// The step with a number, without secrets; `nil` if it is not in the history or the recording.
  package func redactedStep(_ number: Int) -> RecordedStep? {
    recording?.step(number) ?? timeline?.withHistory { $0 }.step(number, withoutSecrets: true)
  }

  /// The app after a step, without secrets; `nil` if it is not in the history or the recording.
  package func redactedMoment(after number: Int) -> AppMoment? {
    recording?.moment(after: number)
      ?? timeline?.withHistory { $0 }.moment(after: number, withoutSecrets: true)
  }

  /// The app after a step, as it was recorded; `nil` if it is not in the history or the recording.
  package func moment(after number: Int) -> AppMoment? {
    recording?.moment(after: number) ?? timeline?.withHistory { $0 }.moment(after: number)
  }

  /// Why there is no step to show.
  package var noHistory: Rejection {
    if recording != nil { return .noHistory("the recording has no steps") }
    guard timeline?.hasHistory == true else {
      return .noHistory("no steps are kept: the history is off, as with '--history-limit 0'")
    }
    return .noHistory("there are no steps yet")
  }

  /// Shows the app as it was after a step.
  ///
  /// The app continues to run, effects included.
  ///
  /// - Throws: why the step can't be shown.
  package func rewind(to number: Int) async throws(Rejection) {
    let numbers = await stepNumbers()
    guard !numbers.isEmpty else { throw noHistory }
    guard numbers.contains(number), let moment = moment(after: number) else {
      throw .noSuchStep(number, in: numbers)
    }
    rewound = try display(moment, step: number, of: numbers)
    invalidateScreen()
  }

  /// Whether a line with this link may be written to a file: the link is valid and has no secrets.
  package func mayRecord(link: String) -> Bool {
    guard let plan = try? graph.plan(link, json: { try? Value(json: $0) }) else { return false }
    return !plan.holdsSecret(in: graph)
  }

  /// Shows the present state of the app.
  package func showNow() {
    rewound = nil
    invalidateScreen()
  }

  /// Shows the same past step again, with the features that run now.
  ///
  /// If that is not possible, the present state is shown.
  func showAgain() {
    guard let rewound else { return }
    showNow()
    let numbers = recording?.numbers ?? timeline?.withHistory(\.numbers) ?? 1..<1
    guard numbers.contains(rewound.number), let moment = moment(after: rewound.number) else {
      return
    }
    self.rewound = try? display(moment, step: rewound.number, of: numbers)
  }

  /// Restores the app at a moment from the recorded states, to show it only.
  ///
  /// - Parameters:
  ///   - moment: the app after the step.
  ///   - step: the number of the step.
  ///   - numbers: the numbers of the steps that can be shown.
  /// - Returns: the state to show.
  /// - Throws: why it can't be restored.
  package func display(
    _ moment: AppMoment, step: Int, of numbers: Range<Int>
  ) throws(Rejection) -> RewoundState {
    if let reason = crashOfShowing(step) { throw .notShown(step, reason: reason) }
    // Shared values are restored to those of the step, too.
    let storage = SharedStorage.replaying()
    let result = withDependencies {
      $0.sharedStorage = storage
    } operation: { () -> Result<(SessionPlan, StateRestorer), Rejection> in
      Result { () throws(Rejection) in try sessionPlan(of: moment, step: step) }
    }
    let (plan, live) = try result.get()
    let (state, ids) = AppState.shown(
      plan.layout(live), in: graph, features: features, calls: calls)
    var restoredIDs: [InstanceID: InstanceID] = [:]
    for (former, id) in zip(plan.ids, ids) { restoredIDs[id] = former }
    return RewoundState(
      number: step, last: numbers.upperBound - 1, state: state, restoredIDs: restoredIDs,
      losses: plan.losses)
  }

  /// Why a recorded step must not be shown; `nil` if it may be.
  ///
  /// The app crashed when it made the step's screen, with the build of the plugin that is loaded now.
  private func crashOfShowing(_ number: Int) -> String? {
    guard let recording,
      let crash = recording.crashes.last(where: { $0.after == number })?.crash,
      crash.fields["call"]?.hasPrefix("screen(") == true, let plugin = crash.fields["plugin"],
      let recorded = recording.build(at: number).plugins.first(where: { $0.name == plugin }),
      let own = current.plugins.first(where: { $0.name == plugin })?.member,
      !recorded.digest.isEmpty, recorded.digest == own.digest
    else { return nil }
    return "this build of '\(plugin)' crashed when it made the screen"
  }

  private func sessionPlan(
    of moment: AppMoment, step: Int
  ) throws(Rejection) -> (SessionPlan, StateRestorer) {
    let identity = recording?.build(at: step).identity ?? self.identity
    var live = StateRestorer(
      identity: identity, versions: current.versions, features: features, calls: calls)
    do {
      return (
        try SessionPlan.make(of: SessionImage(identity: identity, moment), in: graph, &live), live
      )
    } catch {
      throw .notShown(step, reason: error.reason)
    }
  }

  /// Continues the app from the past step that is shown.
  ///
  /// Running effects are cancelled; the restored instances run the effects of `didRestore`.
  ///
  /// - Throws: why the app can't continue from there.
  package func continueFromShown() async throws(Rejection) {
    guard let rewound else { throw .notRewound() }
    guard recording == nil, let store else { throw .onlyShown() }
    guard let moment = moment(after: rewound.number) else {
      throw .noSuchStep(rewound.number, in: await stepNumbers())
    }
    let (plan, live) = try sessionPlan(of: moment, step: rewound.number)
    showNow()
    let restoration = Restoration(plan.layout(live))
    suspended = [:]
    store.send(.restore(restoration))
    for (former, id) in zip(plan.ids, restoration.ids) {
      if let former, let kept = live.suspended[former] { suspended[id] = kept }
    }
    if let link = moment.waitingLink { open(link) }
  }

  /// Creates the plugins and shows the last step of a recording that can be shown.
  ///
  /// No effects run and no actions are reduced.
  ///
  /// - Throws: ``AppLoadError`` if a plugin can't be created or the step can't be shown.
  package func begin(replaying recording: Recording) throws(AppLoadError) {
    nameNodes(of: graph)
    let factory = FeatureFactory(current)
    let features = try factory.table()
    replay(recording, factory, features)
    beginBeingWatched()
    var reason = "the recording '\(recording.path)' has no steps"
    // The app may have crashed when it made the last screen.
    for number in recording.numbers.reversed().prefix(2) {
      guard let moment = recording.moment(after: number) else { break }
      do {
        rewound = try display(moment, step: number, of: recording.numbers)
        return
      } catch {
        reason = error.message
      }
    }
    throw .start(reason: reason)
  }
}
