@_spi(Host) public import AppCore
@_spi(Host) package import Navigation
internal import Timeline

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
  /// this nothing is shown, lines are refused, and ``begin()`` starts afresh.
  public func end() { letGo() }

  /// Lets the features do what is due, then ends every effect and lets go of all instances.
  ///
  /// Every instance is asked for its `willEnd` effects. They, those of instances that were removed
  /// before, and what they start in turn, run to their end, for `limit` at most. So does what is at work
  /// already for an instance whose hook has changed its state, such as a save that has begun and is to
  /// be followed by another. What is at work besides is waited for a second, and what effects do on
  /// being cancelled as long again. From the beginning on no line is taken any more.
  ///
  /// - Parameter limit: how long effects may take.
  /// - Returns: whether all had ended.
  @discardableResult
  public func end(within limit: Duration) async -> Bool { await end(within: limit) { _ in } }

  /// How long effects are waited for that no feature asks for, and those that were cancelled.
  static let cancellingPatience = Duration.seconds(1)
  /// How often it is looked who is waited for.
  private static let lookInterval = Duration.milliseconds(100)

  /// The same; `note` takes the effects that are waited for, while they are.
  package func end(
    within limit: Duration, note: @Sendable (EffectRoll<InstanceScope>) -> Void
  ) async -> Bool {
    let deadline = ContinuousClock.now + limit
    isEnding = true
    // Not the store itself: its effects end when nobody holds it any more.
    guard let account = store?.activityAccount, let (due, ending) = askForEndings() else {
      return true
    }
    if let roll { note(roll) }
    await due.finish(within: limit)
    await removedHaveEnded(before: deadline)
    let patience = min(deadline, .now + Self.cancellingPatience)
    while let roll, case let now = ContinuousClock.now, now < deadline {
      note(roll)
      guard now < patience || roll.atWork.contains(where: { ending.contains($0.id) }),
        await !account.settled(within: min(Self.lookInterval, deadline - now))
      else { break }
    }
    let timeline = timeline
    letGo()
    await timeline?.end(.ended)
    let hasSettled = await account.settled(within: max(Self.cancellingPatience, deadline - .now))
    // Afterwards: what an effect does when it is cancelled may change them.
    await saveSharedValues()
    return hasSettled
  }

  /// Writes the shared values that are not in their files yet.
  private nonisolated func saveSharedValues() async {
    let values = dependencies ?? DependencyValues()
    await withDependencies {
      $0 = values
    } operation: {
      await values.sharedStorage.saveAll()
    }
  }

  private var roll: EffectRoll<InstanceScope>? { store?.effectRoll(of: InstanceScope.self) }

  /// Asks every instance for what it has to do.
  ///
  /// - Returns: that, and the instances with effects at work whose state has changed by being asked.
  private func askForEndings() -> (due: StoreTask, changed: Set<InstanceID>)? {
    let before = (roll?.atWork ?? []).map { ($0.id, dump(of: $0.id)) }
    guard let due = store?.send(.end) else { return nil }
    // One that can't be told from what it was may have changed.
    return (due, Set(before.filter { $1 == nil || $1 != dump(of: $0) }.map(\.0)))
  }

  private func dump(of id: InstanceID) -> Value? {
    guard let instance = state.instances[id], let instanceState = instance.state,
      let feature = features[instance.node]
    else { return nil }
    return try? feature.dump(instanceState)
  }

  /// Waits for what instances that were removed before still do.
  private func removedHaveEnded(before deadline: ContinuousClock.Instant) async {
    await wait(until: { !state.isEnding }) {
      try? await Task.sleep(until: deadline, clock: .continuous)
    }
  }
}
