@_spi(Host) internal import AppCore

/// What a feature does at the turns of an instance's life; nothing, of a reducer that is no feature.
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
}

// The turns of an instance's life; of a store that was created without the feature's arguments
// nothing happens at them.
extension TestStore {
  /// Does what the feature does at the beginning of an instance's life, when it is shown.
  ///
  /// Of a store that was created without the feature's arguments nothing begins.
  ///
  /// - Parameters:
  ///   - update: says what changes of the state; without it nothing may.
  ///   - fileID: where the test stands.
  ///   - filePath: where the test stands.
  ///   - line: where the test stands.
  ///   - column: where the test stands.
  /// - Returns: the effects that the instance begins with.
  @discardableResult
  public func didStart(
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await live(
      life.didStart, "the start", .starting, update, TestSite(fileID, filePath, line, column))
  }

  /// Does what the feature does when its plugin has been replaced by another build.
  ///
  /// The effects that run are not ended by it, as the host would; let the test end them first.
  ///
  /// - Parameters:
  ///   - update: says what changes of the state; without it nothing may.
  ///   - fileID: where the test stands.
  ///   - filePath: where the test stands.
  ///   - line: where the test stands.
  ///   - column: where the test stands.
  /// - Returns: the effects that the instance goes on with.
  @discardableResult
  public func didRestore(
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await live(
      life.didRestore, "going on", .resuming, update, TestSite(fileID, filePath, line, column))
  }

  /// Does what the feature does when the instance is removed, or the app ends.
  ///
  /// The store goes on after it; the host waits for the effects and lets go of the instance.
  ///
  /// - Parameters:
  ///   - update: says what changes of the state; without it nothing may.
  ///   - fileID: where the test stands.
  ///   - filePath: where the test stands.
  ///   - line: where the test stands.
  ///   - column: where the test stands.
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
    check(turned, after: deed, update, at: site)
    await settle()
    return TestStoreTask(task, of: name, timeout: timeout)
  }
}
