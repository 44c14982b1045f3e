@_spi(Host) public import AppCore
@_spi(Host) public import Navigation
internal import Sessions

// An app embedded in another program: observing it, reading its state and ending it.
extension App {
  /// The state of the current instance as a `Value`; `nil` if there is none or it can't be encoded.
  ///
  /// It is encoded by the feature's `Codable` code, with `"<secret>"` in place of each secret.
  public var currentState: Value? {
    let state = state
    guard let id = state.current, let instance = state.instances[id],
      let instanceState = instance.state, let feature = features[instance.node]
    else { return nil }
    return try? feature.dump(instanceState)
  }

  /// A sequence with an element whenever actions have been reduced and none is queued.
  ///
  /// The screen may have changed then. Elements that have not been consumed are coalesced into one.
  /// The sequence ends when the app does, and is empty for an app that is not running.
  public func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      guard store != nil else { return continuation.finish() }
      let key = follow(continuation)
      continuation.onTermination = { [weak self] _ in
        guard let self else { return }
        Task { await self.unfollow(key) }
      }
    }
  }

  /// Reads the manifest and its included files again, and replaces the running one in one step.
  ///
  /// An instance whose node still exists continues with its state, and also with its effects unless
  /// its plugin has changed; others are made anew or end. Plugins that are new in the manifest are
  /// loaded. If anything fails, the running manifest stays and nothing is lost.
  public func reloadManifest() async -> ReloadOutcome {
    await reloader.reload(nil, isAsked: true, in: self)
  }

  /// Loads a plugin again from its file or its folder of sources, and moves its instances to it.
  ///
  /// Every instance continues in the new build with its state. Its effects are cancelled, and those
  /// that `didRestore` returns are started. If anything fails, the former build continues and
  /// nothing is lost. The former build stays in memory, because a Swift library is never closed.
  public func reload(_ plugin: String) async -> ReloadOutcome {
    await reloader.reload(plugin, isAsked: true, in: self)
  }

  /// Reloads plugins and the manifest whenever their files change.
  ///
  /// The files of a plugin are its library, or the sources if the manifest names a folder; those of
  /// the manifest include the files that it includes. The reload begins when every changed file has
  /// been closed and nothing has happened for 80 ms, so that no half-written file is loaded.
  /// Plugins that are linked into the program have no files. Changes that other machines make in a
  /// network file system are not seen.
  ///
  /// - Parameter didReload: called with the outcome of each reload; `nil` stops following.
  /// - Throws: ``FollowingError`` if the files can't be followed.
  public func followFiles(
    _ didReload: (@Sendable (FileChange) async -> Void)?
  ) throws(FollowingError) {
    try reloader.followFiles(of: self, didReload)
  }

  /// Reloads what a changed file belongs to.
  func reload(changed subject: String) async {
    await reloader.reload(changed: subject, in: self)
  }

  /// Calls `observer` with a plugin's name before a reload compiles it, and with `nil` after each.
  package func observeCompilation(_ observer: (@Sendable (String?) -> Void)?) {
    reloader.compilationObserver = observer
  }

  /// The events of the navigation log after its first `number` ones, oldest first.
  ///
  /// Only the latest 256 are kept.
  public func navigationEvents(after number: Int = 0) -> [NavigationEvent] {
    state.journal.events(after: number)
  }

  /// Cancels every effect and releases all instances at once, without calling `willEnd`.
  ///
  /// Running effects retain their app, so one that is only released lives until they end.
  /// Afterwards nothing is shown, lines are refused, and ``begin()`` starts the app afresh.
  public func end() { tearDown() }

  /// Lets features finish their work, then cancels every effect and releases all instances.
  ///
  /// 1. No more lines are accepted. `willEnd` is called for each instance.
  /// 2. The effects that it returns have `limit` to end, with the effects that they start in turn
  ///    and those of instances that were removed before. So have the effects that are already
  ///    running for an instance whose state `willEnd` has changed, such as a save that another is
  ///    to follow.
  /// 3. Other running effects then have up to one second more, within `limit`.
  /// 4. All effects are cancelled, and have the rest of `limit`, but at least one second, to react.
  ///
  /// - Parameter limit: how long effects may take.
  /// - Returns: whether all effects have ended.
  @discardableResult
  public func end(within limit: Duration) async -> Bool { await end(within: limit) { _ in } }

  /// How long to wait for effects that are not part of `willEnd`, and for cancelled ones.
  static let cancellingTimeout = Duration.seconds(1)
  /// How often the running effects are checked.
  private static let lookInterval = Duration.milliseconds(100)

  /// Ends the app; `note` is called repeatedly with the effects that the end waits for.
  package func end(
    within limit: Duration, note: @Sendable (EffectRoll<InstanceScope>) -> Void
  ) async -> Bool {
    let deadline = ContinuousClock.now + limit
    isEnding = true
    // Not the store itself: its effects are cancelled when it is released.
    guard let account = store?.activityAccount, let (due, ending) = sendWillEnd() else {
      return true
    }
    if let roll { note(roll) }
    await due.finish(within: limit)
    await removedHaveEnded(before: deadline)
    let timeout = min(deadline, .now + Self.cancellingTimeout)
    while let roll, case let now = ContinuousClock.now, now < deadline {
      note(roll)
      guard now < timeout || roll.atWork.contains(where: { ending.contains($0.id) }),
        await !account.settled(within: min(Self.lookInterval, deadline - now))
      else { break }
    }
    let timeline = timeline
    tearDown()
    await timeline?.end(.ended)
    let hasSettled = await account.settled(within: max(Self.cancellingTimeout, deadline - .now))
    // Last, because effects may change shared values when they are cancelled.
    await saveSharedValues()
    return hasSettled
  }

  /// Writes the shared values that have changed to their files.
  private nonisolated func saveSharedValues() async {
    let values = dependencies ?? DependencyValues()
    await withDependencies {
      $0 = values
    } operation: {
      await values.sharedStorage.saveAll()
    }
  }

  private var roll: EffectRoll<InstanceScope>? { store?.effectRoll(of: InstanceScope.self) }

  /// Calls `willEnd` for each instance.
  ///
  /// - Returns: the task of the returned effects, and the instances whose effects were running and
  ///   whose state `willEnd` has changed; `nil` if the app is not running.
  private func sendWillEnd() -> (due: StoreTask, changed: Set<InstanceID>)? {
    let before = (roll?.atWork ?? []).map { ($0.id, dump(of: $0.id)) }
    guard let due = store?.send(.end) else { return nil }
    // A state that can't be encoded may have changed.
    return (due, Set(before.filter { $1 == nil || $1 != dump(of: $0) }.map(\.0)))
  }

  private func dump(of id: InstanceID) -> Value? {
    guard let instance = state.instances[id], let instanceState = instance.state,
      let feature = features[instance.node]
    else { return nil }
    return try? feature.dump(instanceState)
  }

  /// Waits for the `willEnd` effects of instances that were removed before.
  private func removedHaveEnded(before deadline: ContinuousClock.Instant) async {
    await wait(until: { !state.isEnding }) {
      try? await Task.sleep(until: deadline, clock: .continuous)
    }
  }
}
