@_spi(Host) internal import AppCore

/// The life-cycle hooks of a feature; empty for a reducer that is not a feature.
struct FeatureLife<State, Action: Sendable> {
  typealias Turn = (inout State) -> Effect<Action>
  var didStart: Turn?
  var didRestore: Turn?
  var willEnd: Turn?

  init() {}

  init<F: Feature>(_ feature: F) where F.State == State, F.Action == Action {
    didStart = { feature.didStart(&$0) }
    didRestore = { feature.didRestore(&$0) }
    willEnd = { feature.willEnd(&$0) }
  }

  /// The hooks of a reducer that is a feature; none otherwise.
  init(of reducer: some Reducer<State, Action>) {
    func hooks<F: Feature>(_ feature: F) -> Self? {
      FeatureLife<F.State, F.Action>(feature) as? Self
    }
    self = (reducer as? any Feature).flatMap { hooks($0) } ?? Self()
  }
}

// The life-cycle hooks of an instance; they do nothing if the reducer is not a feature.
extension TestStore {
  /// Calls the feature's hook for the start of an instance's life.
  ///
  /// It does nothing if the store's reducer is not a feature.
  ///
  /// - Parameters:
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  /// - Returns: the effects that the instance starts with.
  @discardableResult
  public func didStart(
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await live(
      life.didStart, "the start", .starting, update, TestSite(fileID, filePath, line, column))
  }

  /// Calls the feature's hook for the replacement of its plugin by another build.
  ///
  /// Unlike the host, it does not cancel running effects; let the test cancel them first.
  ///
  /// - Parameters:
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  /// - Returns: the effects that the instance continues with.
  @discardableResult
  public func didRestore(
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await live(
      life.didRestore, "going on", .resuming, update, TestSite(fileID, filePath, line, column))
  }

  /// Calls the feature's hook for the removal of the instance or the end of the app.
  ///
  /// The store remains usable; the host would wait for the effects and release the instance.
  ///
  /// - Parameters:
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  /// - Returns: the effects that the instance ends with.
  @discardableResult
  public func willEnd(
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await live(life.willEnd, "the end", .ending, update, TestSite(fileID, filePath, line, column))
  }

  private func live(
    _ turn: FeatureLife<State, Action>.Turn?, _ name: String, _ deed: TestFailure.Deed,
    _ update: ((inout State) throws -> Void)?, _ site: TestSite
  ) async -> TestStoreTask {
    ledger.site = site
    settleReceived(before: name, at: site)
    var turned = state
    let task = reporting {
      store.begin { state in
        let effect = turn?(&state) ?? .none
        turned = state
        return effect
      }
    }
    check(turned, sharedNow, after: deed, update, at: site)
    await settle()
    return TestStoreTask(task, of: name, timeout: timeout)
  }
}
