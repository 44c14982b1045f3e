@_spi(Host) public import AppCore

// Each call takes a closure that applies the expected changes to the state; without it, the state
// must not change. It returns the action's effects.

extension TestStore where Action: FeatureAction {
  /// Sends a view action, as the feature's screen would.
  @discardableResult
  public func send(
    _ action: Action.View, assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await send(.view(action), update, TestSite(fileID, filePath, line, column))
  }

  /// Sends an input action, as a route would.
  @discardableResult
  public func sendInput(
    _ action: Action.Input, assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await send(.input(action), update, TestSite(fileID, filePath, line, column))
  }

  /// Sends a child's view action, as the child's controls on the feature's screen would:
  /// `send(/Action.editor, .presented(.view(.saveTapped)))`.
  @discardableResult
  public func send<Child>(
    _ path: CasePath<Action, Child>, _ action: Child,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    let site = TestSite(fileID, filePath, line, column)
    let action = path.embed(action)
    guard let kind = ActionKind.innermost(of: action), kind != .view else {
      return await send(action, update, site)
    }
    let sender = kind == .input ? "a route sends." : "the feature's own effects send."
    ledger.fail(
      "\(describe(action)) is \(kind) action, which nobody but \(sender)",
      remedies: [
        kind == .input
          ? "send it with 'await store.sendInput(…)', as a route would"
          : "send the view action, or start the effect, that brings it about, and receive it"
      ], at: site)
    return TestStoreTask(nil, of: describe(action), timeout: timeout)
  }
}

extension TestStore where Action: ComponentAction {
  /// Sends an action.
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
  private func send(
    _ action: Action, _ update: ((inout State) throws -> Void)?, _ site: TestSite
  ) async -> TestStoreTask {
    ledger.site = site
    guard !isDismissed else {
      ledger.fail(
        "\(describe(action)) was sent after an effect had called 'dismiss': nobody can send it any "
          + "more.",
        remedies: [
          "leave it out: a parent removes the child in response to 'dismiss'",
          "what effects sent before can still be received",
        ], at: site)
      return TestStoreTask(nil, of: describe(action), timeout: timeout)
    }
    let step = "sending \(describe(action))"
    let unreceived = exhaustivity == .on ? ledger.received : []
    if let last = unreceived.last {
      // They are kept: the test can still receive them; any that are left are reported at its end.
      ledger.fail(.unasserted(unreceived.map(\.action), before: step), at: site)
      (state, shared) = (last.state, last.shared)
    } else {
      settleReceived(before: step, at: site)
    }
    isSending = true
    let task = reporting { store.sendAny(action) }
    isSending = false
    let (sent, sentShared) = sentState ?? (store.state, sharedNow)
    ledger.rebase(unreceived.count, on: sent, sentShared)
    check(sent, sentShared, "after \(step)", update, at: site)
    sentState = nil
    await settle()
    return TestStoreTask(task, of: describe(action), timeout: timeout)
  }

  /// Drops received actions that were not asserted; if exhaustive, that is a failure.
  func settleReceived(before step: String, at site: TestSite) {
    let count = ledger.received.count
    guard count > 0 else { return }
    let skipped = ledger.take(count)
    if exhaustivity == .on {
      ledger.fail(.unasserted(skipped.map(\.action), before: step), at: site)
    }
    skip(skipped, at: site)
  }

  /// Advances to the state after `actions`, and prints them if the exhaustivity asks for it.
  func skip(_ actions: [TestLedger<State, Action>.Received], at site: TestSite) {
    guard let last = actions.last else { return }
    (state, shared) = (last.state, last.shared)
    guard exhaustivity.showsSkipped else { return }
    TestReporter.note(
      "Received and not asserted:", actions.map { describe($0.action) }, at: site)
  }
}
