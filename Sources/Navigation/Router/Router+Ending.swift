@_spi(Host) internal import AppCore
internal import Support

/// A removed instance that still runs the effects of its feature's `willEnd`.
///
/// It is no longer part of the graph: it has no screen, no route reaches it, and its delegate
/// actions are dropped. Its own effects' actions still change its state, so that a save that needs
/// two steps gets both.
struct EndingInstance: Sendable {
  let node: Int
  var state: InstanceState
  /// The number of effects that have not ended.
  var effectCount: Int
}

/// The scope of the timer that limits how long an instance may take to end.
private struct EndingLimit: Hashable, Sendable {
  let id: InstanceID
}

extension Router {
  /// How long the effects of `willEnd` may outlive their instance.
  public static let endingLimit = Duration.seconds(5)

  /// Ends a removed instance: calls its feature's hook and cancels every other effect.
  func end(_ removed: Change.Removed, in state: inout AppState) -> Effect<AppAction> {
    let (id, node) = (removed.id, removed.node)
    let cancelled = endScope(of: id)
    guard var own = removed.state, let feature = features[node] else { return cancelled }
    let effect = calls.during(.willEnd, node: node, instance: id) {
      ScopedReducer.run(in: InstanceScope(id, app: calls.app)) { feature.willEnd(&own) }
    }
    guard !effect.isNone else { return cancelled }
    state.ending[id] = EndingInstance(node: node, state: own, effectCount: 1)
    return .merge(cancelled, counted(effect, id, node), limit(id))
  }

  /// Reduces an action of a removed instance that has not ended yet.
  ///
  /// - Returns: the action's effect; `nil` if there is no such instance, or if the action is a
  ///   delegate action or from a former build.
  func reduceEnding(
    _ state: inout AppState, _ id: InstanceID, _ action: AnyAction
  ) -> Effect<AppAction>? {
    guard let node = state.ending[id]?.node, let feature = features[node] else { return nil }
    calls.record.begin(action, node: node, instance: id)
    defer { calls.record.end() }
    let scope = InstanceScope(id, app: calls.app)
    // swift-format-ignore: NeverForceUnwrap
    switch feature.reduce(&state.ending[id]!.state, action, in: scope) {
    case .reduced(let effect):
      guard !effect.isNone else { return Effect.none }
      state.ending[id]?.effectCount += 1
      return counted(effect, id, node)
    case .delegate, .foreign: return nil
    }
  }

  /// Counts an effect of a removed instance that has ended; the last one releases the instance.
  func effectEnded(_ state: inout AppState, _ id: InstanceID) -> Effect<AppAction> {
    state.ending[id]?.effectCount -= 1
    guard state.ending[id]?.effectCount == 0 else { return .none }
    state.ending[id] = nil
    return .merge(endScope(of: id), .endScope(EndingLimit(id: id)))
  }

  /// Releases an instance whose effects have not ended in time.
  func timeIsUp(_ state: inout AppState, _ id: InstanceID) -> Effect<AppAction> {
    guard let node = state.ending.removeValue(forKey: id)?.node else { return .none }
    state.journal.append(
      .warned(
        Rejection(
          .overdue,
          "'\(graph.nodes[node].name)' #\(id) was removed, and its last effects were cancelled after "
            + "\(Self.endingLimit.components.seconds) s; what they were to save may be lost")),
      by: .app)
    return endScope(of: id)
  }

  private func counted(
    _ effect: Effect<AnyAction>, _ id: InstanceID, _ node: Int
  ) -> Effect<AppAction> {
    .concatenate(scoped(effect, id, node), .send(.report(.effectEnded(id))))
  }

  private func limit(_ id: InstanceID) -> Effect<AppAction> {
    Effect.run { send in
      @Dependency(\.clock) var clock
      guard (try? await clock.sleep(for: Self.endingLimit)) != nil else { return }
      await send(.report(.timeIsUp(id)))
    }
    .scoped(to: EndingLimit(id: id))
  }
}
