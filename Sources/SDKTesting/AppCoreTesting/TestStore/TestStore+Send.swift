@_spi(Host) public import AppCore

extension TestStore where Action: FeatureAction {
  /// Sends a view action, as the feature's screen would.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  /// - Returns: the action's effects.
  @discardableResult
  public func send(
    _ action: Action.View, assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await send(.view(action), update, TestSite(fileID, filePath, line, column))
  }

  /// Sends an input action, as a route would.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  /// - Returns: the action's effects.
  @discardableResult
  public func sendInput(
    _ action: Action.Input, assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await send(.input(action), update, TestSite(fileID, filePath, line, column))
  }

  /// Sends a child's action through the feature, as the child's controls on its screen would.
  ///
  /// ```swift
  /// await store.send(/Action.editor, .presented(.view(.saveTapped)))
  /// ```
  ///
  /// - Parameters:
  ///   - path: the case with the child's actions.
  ///   - action: the child's action; an internal, delegate or input action is rejected.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  /// - Returns: the action's effects.
  @discardableResult
  public func send<Child>(
    _ path: CasePath<Action, Child>, _ action: Child,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    let site = TestSite(fileID, filePath, line, column)
    let action = path.embed(action)
    if let kind = ActionKind.innermost(of: action), kind != .view {
      ledger.fail(.boundary(action: describe(action), kind: kind), at: site)
      return TestStoreTask(nil, of: describe(action), timeout: timeout)
    }
    return await send(action, update, site)
  }
}

extension TestStore where Action: ComponentAction {
  /// Sends an action.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  /// - Returns: the action's effects.
  @discardableResult
  public func send(
    _ action: Action, assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await send(action, update, TestSite(fileID, filePath, line, column))
  }
}

extension TestStore {
  func send(
    _ action: Action, _ update: ((inout State) throws -> Void)?, _ site: TestSite
  ) async -> TestStoreTask {
    ledger.site = site
    guard !isDismissed else {
      ledger.fail(.dismissed(action: describe(action)), at: site)
      return TestStoreTask(nil, of: describe(action), timeout: timeout)
    }
    let unreceived = exhaustivity == .on ? ledger.received : []
    if let last = unreceived.last {
      // They are kept: the test can still receive them; any that are left are reported at its end.
      ledger.fail(
        .unasserted(
          unreceived.map { describe($0.action) }, before: "sending \(describe(action))"),
        at: site)
      (state, shared) = (last.state, last.shared)
    } else {
      settleReceived(before: "sending \(describe(action))", at: site)
    }
    isSending = true
    let task = reporting { store.sendAny(action) }
    isSending = false
    let (sent, sentShared) = sentState ?? (store.state, sharedNow)
    ledger.rebase(unreceived.count, on: sent, sentShared)
    check(sent, sentShared, after: .sending(describe(action)), update, at: site)
    sentState = nil
    await settle()
    return TestStoreTask(task, of: describe(action), timeout: timeout)
  }

  /// Drops received actions that were not asserted; if exhaustive, that is a failure.
  func settleReceived(before deed: String, at site: TestSite) {
    let count = ledger.received.count
    guard count > 0 else { return }
    let skipped = ledger.take(count)
    if exhaustivity == .on {
      ledger.fail(.unasserted(skipped.map { describe($0.action) }, before: deed), at: site)
    }
    skip(skipped, at: site)
  }

  /// Advances to the state after `actions`, and prints them if the exhaustivity asks for it.
  func skip(_ actions: [TestLedger<State, Action>.Received], at site: TestSite) {
    guard let last = actions.last else { return }
    (state, shared) = (last.state, last.shared)
    guard exhaustivity.showsSkipped else { return }
    let lines = ["Received and not asserted:", ""] + actions.map { "    \(describe($0.action))" }
    TestReporter.note(lines.joined(separator: "\n"), at: site)
  }
}

extension TestSite {
  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.init(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
