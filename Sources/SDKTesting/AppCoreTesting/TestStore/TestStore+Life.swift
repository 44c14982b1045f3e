@_spi(Host) internal import AppCore

/// The life-cycle hooks of a feature; empty for a reducer that is not a feature.
struct FeatureLife<State, Action: Sendable> {
  typealias Hook = (inout State) -> Effect<Action>
  var didStart: Hook?
  var didRestore: Hook?
  var willEnd: Hook?

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

// The life-cycle hooks of an instance; they do nothing if the reducer is not a feature. A closure
// applies the expected changes to the state; without it, the state must not change.
extension TestStore {
  /// Calls the feature's hook for the start of an instance's life, and returns its effects.
  @discardableResult
  public func didStart(
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    let site = TestSite(fileID, filePath, line, column)
    return await runHook(life.didStart, "the start", "after starting", update, site)
  }

  /// Calls the feature's hook for the replacement of its plugin by another build, whose running
  /// effects the test cancels first, and returns its effects.
  @discardableResult
  public func didRestore(
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    let site = TestSite(fileID, filePath, line, column)
    return await runHook(life.didRestore, "going on", "after going on", update, site)
  }

  /// Calls the feature's hook for the removal of the instance or the end of the app, and returns its
  /// effects.
  @discardableResult
  public func willEnd(
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    let site = TestSite(fileID, filePath, line, column)
    return await runHook(life.willEnd, "the end", "after the end", update, site)
  }

  private func runHook(
    _ hook: FeatureLife<State, Action>.Hook?, _ name: String, _ step: String,
    _ update: ((inout State) throws -> Void)?, _ site: TestSite
  ) async -> TestStoreTask {
    ledger.site = site
    settleReceived(before: name, at: site)
    var changed = (state, sharedNow)
    let task = reporting {
      store.begin { state in
        let effect = hook?(&state) ?? .none
        // Not later: what the effects' actions change is asserted with these.
        changed = (state, sharedNow)
        return effect
      }
    }
    check(changed.0, changed.1, step, update, at: site)
    await settle()
    return TestStoreTask(task, of: name, timeout: timeout)
  }
}
