public import AppCore

extension Store {
  /// Calls `body` whenever actions have been reduced and none waits.
  public func onSettledActions(_ body: @escaping () -> Void) { didSettleActions = body }

  /// What reducers and effects find as their dependencies.
  public func setDependencies(_ values: DependencyValues) { dependencies = values }

  /// The store's effects that are at work.
  public var activityAccount: ActivityAccount? { activity.map(ActivityAccount.init) }
}

/// Tells whether a store's effects are at work.
public struct ActivityAccount: Sendable {
  private let monitor: ActivityMonitor

  init(_ monitor: ActivityMonitor) { self.monitor = monitor }

  /// Whether every effect has ended or waits on a clock.
  public var isSettled: Bool { monitor.isSettled }

  /// Returns when every effect has ended or waits on a clock, or when `limit` has passed.
  ///
  /// - Returns: whether it has settled.
  public func settled(within limit: Duration) async -> Bool {
    guard !monitor.isSettled else { return true }
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await monitor.settled()
        return true
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? true
    } && monitor.isSettled
  }
}
