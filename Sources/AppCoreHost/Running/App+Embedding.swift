@_spi(Host) public import AppCore
@_spi(Host) package import Navigation

// The life of an app in a host's own program: followed, read and ended.
extension App {
  /// The state of the feature in front, in structural form; `nil` where none is shown.
  ///
  /// It is the state as the feature codes it, but for its secrets: each is `"<secret>"`.
  public var currentState: Value? {
    let state = state
    guard let id = state.current, let instance = state.instances[id],
      let instanceState = instance.state, let feature = features[instance.node]
    else { return nil }
    return try? feature.dump(instanceState)
  }

  /// Tells of each time that actions have been reduced and none waits: the screen may be another.
  ///
  /// Several times come as one where nobody looks meanwhile. It ends with the app.
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

  /// Ends every effect and lets go of all instances, at once: what is due is not done.
  ///
  /// An effect keeps its app, so an app that is merely let go of lives until its effects end. After
  /// this nothing is shown, lines are refused, and ``begin()`` begins anew.
  public func end() { letGo() }

  /// Lets the features do what is due, then ends every effect and lets go of all instances.
  ///
  /// Every instance is asked for its `willEnd` effects; they are waited for, with those of instances
  /// that were removed before, and what is at work besides, such as a save that has begun, for a second
  /// at most. What effects do on being cancelled is waited for as well.
  ///
  /// - Parameter limit: how long it may take in all.
  /// - Returns: whether all had ended within `limit`.
  @discardableResult
  public func end(within limit: Duration) async -> Bool { await end(within: limit) { _ in } }

  /// The same; `note` takes the effects that are waited for, before they are.
  package func end(
    within limit: Duration, note: @Sendable (EffectRoll<InstanceScope>) -> Void
  ) async -> Bool {
    let deadline = ContinuousClock.now + limit
    // Not the store itself: its effects end when nobody holds it any more.
    guard let account = store?.activityAccount, let due = store?.send(.end) else { return true }
    // Before each wait: effects that end begin others.
    func noteEffects() { if let store { note(store.effectRoll(of: InstanceScope.self)) } }
    noteEffects()
    await due.finish(within: limit)
    noteEffects()
    await removedHaveEnded(before: deadline)
    noteEffects()
    _ = await account.settled(within: min(.seconds(1), deadline - .now))
    noteEffects()
    letGo()
    return await account.settled(within: max(.zero, deadline - .now))
  }

  /// Waits for what instances that were removed before still do.
  private func removedHaveEnded(before deadline: ContinuousClock.Instant) async {
    await wait(until: { !state.isEnding }) {
      try? await Task.sleep(until: deadline, clock: .continuous)
    }
  }
}
