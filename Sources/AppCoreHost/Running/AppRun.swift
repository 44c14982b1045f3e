@_spi(Host) internal import AppCore
@_spi(Host) internal import Navigation
internal import Synchronization

/// What an app has from its beginning to its end; ending the app releases it.
final class AppRun {
  /// `nil` before the beginning and after the end, and for an app that shows a recording.
  var store: Store<AppState, AppAction>?
  var features = FeatureTable([])
  var factory: FeatureFactory?
  let conversation: Conversation
  let keeper: SessionKeeper
  let timeline: Timeline
  let screen = CurrentScreen()
  /// Called when a route has quit the app.
  var onQuit: (@Sendable () -> Void)?
  private var followers: [Int: AsyncStream<Void>.Continuation] = [:]
  /// Numbers the consumers of all apps, so that no key is one of another run.
  private static let lastKey = Atomic(0)

  init(
    _ conversation: Conversation = Conversation(), _ keeper: SessionKeeper = SessionKeeper(nil),
    _ timeline: Timeline = Timeline()
  ) {
    self.conversation = conversation
    self.keeper = keeper
    self.timeline = timeline
  }

  deinit { for follower in followers.values { follower.finish() } }

  /// Adds a consumer of changes, and returns the key for ``removeFollower(_:)``.
  func add(_ follower: AsyncStream<Void>.Continuation) -> Int {
    let key = Self.lastKey.add(1, ordering: .relaxed).newValue
    followers[key] = follower
    return key
  }

  func removeFollower(_ key: Int) { followers[key] = nil }

  /// Tells all consumers of a change; those that a consumer has not received are coalesced.
  func didChange() { for follower in followers.values { follower.yield() } }
}

/// The screen of an app's current instance, and the tasks of screens that were started.
final class CurrentScreen {
  private var screen: ErasedScreen?
  /// Counts the changes after which the screen may be another one.
  private(set) var changeCount = 0
  /// The tasks whose actions were sent, with their effects.
  private var tasks: [InstanceID: [[AnyHashable]: (id: AnyHashable, effects: ChildTask)]] = [:]

  /// Discards the screen, so that the feature is asked for it again.
  func invalidate() {
    screen = nil
    changeCount += 1
  }

  /// The screen; `nil` if no feature is shown.
  func screen(of app: isolated App) -> ErasedScreen? {
    if let screen { return screen }
    let shown = app.shownState
    guard let (id, instance, state, feature) = shown.feature(of: shown.current, app.features) else {
      return nil
    }
    screen = app.log.measureScreen(of: feature.info.name, node: instance.node, instance: id) {
      app.calls.during(.screen, node: instance.node, instance: id) { feature.screen(state) }
    }
    return screen
  }

  /// Sends the actions of the current screen's tasks that were not sent yet.
  ///
  /// The effects of such an action may change the screen, and a new screen may have other tasks.
  /// Returns whether there were any.
  func startTasks(in app: isolated App) -> Bool {
    releaseTasks()
    var hasStarted = false
    // Each round shows children that the round before has presented.
    for _ in 0..<1_000 {
      guard app.timeline.isPresent, !app.isEnding, let id = app.state.current,
        app.keeper.suspended[id] == nil,
        let task = screen(of: app)?.tasks.first(where: { !isStarted($0, of: id) })
      else { break }
      let former = tasks[id]?.removeValue(forKey: task.place)
      former?.effects.cancel()
      former?.effects.release()
      guard let node = app.state.instances[id]?.node,
        let effects = app.store?.send(
          .instance(id, task.action), in: InstanceScope(id, node: node, app: app.calls.app))
      else { break }
      tasks[id, default: [:]][task.place] = (task.id, effects)
      hasStarted = true
    }
    return hasStarted
  }

  private func isStarted(_ task: ScreenTask<AnyAction>, of id: InstanceID) -> Bool {
    guard let known = tasks[id]?[task.place] else { return false }
    return known.id == task.id && !known.effects.isChildGone
  }

  private func releaseTasks() {
    for (id, started) in tasks {
      for (place, task) in started where task.effects.isChildGone {
        task.effects.release()
        tasks[id]?[place] = nil
      }
      if tasks[id]?.isEmpty == true { tasks[id] = nil }
    }
  }
}

extension AppState {
  /// An instance with its feature; `nil` for a container, or if there is no such instance.
  func feature(
    of id: InstanceID?, _ features: FeatureTable
  ) -> (id: InstanceID, instance: Instance, state: InstanceState, feature: LoadedFeature)? {
    guard let id, let instance = instances[id], let state = instance.state,
      let feature = features[instance.node]
    else { return nil }
    return (id, instance, state, feature)
  }
}
