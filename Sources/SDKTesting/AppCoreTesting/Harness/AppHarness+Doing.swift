public import AppCore
internal import AppCoreHost

// What a test does.
extension AppHarness {
  /// Types lines, as a person or a script would.
  ///
  /// - Parameter lines: the lines, each without its newline.
  /// - Returns: the screen after the last of them.
  /// - Throws: ``AppHarnessError/refused(_:)`` at the first line that is refused; the rest is not
  ///   typed. ``refusal(of:)`` is for lines that should be.
  @discardableResult
  public func type(_ lines: String...) async throws(AppHarnessError) -> ShownScreen {
    for line in lines {
      if let refusal = try await carryOut(line) { throw .refused(refusal) }
    }
    return await screen
  }

  /// Types a line that should be refused.
  ///
  /// - Parameter line: the line, without its newline.
  /// - Returns: why it was.
  /// - Throws: ``AppHarnessError/accepted(line:)`` where it was not.
  @discardableResult
  public func refusal(of line: String) async throws(AppHarnessError) -> RefusedLine {
    guard let refusal = try await carryOut(line) else { throw .accepted(line: line) }
    return refusal
  }

  /// Lets the nearest instance of a node emit a delegate action: a mock's, or any feature's.
  ///
  /// - Parameters:
  ///   - node: the emitter's node. The nearest is the current instance, else the first on the way
  ///     to the root, else one in a hidden tab or in the background.
  ///   - action: the delegate action's name.
  ///   - payload: what `$` refers to: an object of the labels, or the one value without a label.
  /// - Throws: ``AppHarnessError/instance(_:)`` where there is no such instance or action, or the
  ///   payload does not fit. A route that refuses is no error: see ``refusedRoutes``.
  public func emit(
    _ node: String, _ action: String, _ payload: Value = [:]
  ) async throws(AppHarnessError) {
    try await emit(node, action, payloads: [payload])
  }

  /// Lets the nearest instance of a node emit a delegate action again and again.
  ///
  /// No screen is drawn between: this is how a test goes 100,000 levels deep.
  ///
  /// - Parameters:
  ///   - node: the emitter's node; the nearest instance is looked for anew each time.
  ///   - action: the delegate action's name.
  ///   - payloads: what `$` refers to, for each emission.
  /// - Throws: as ``emit(_:_:_:)``; the emissions before have happened.
  public func emit(
    _ node: String, _ action: String, payloads: [Value]
  ) async throws(AppHarnessError) {
    await begin()
    let delegates = await app.delegates(of: node) ?? []
    if let schema = delegates.first(where: { $0.name == action })?.payload {
      for payload in payloads {
        guard let misfit = schema.misfit(of: payload) else { continue }
        throw .instance(.payload(delegate: action, reason: misfit))
      }
    }
    do throws(InstanceProblem) {
      try await app.emit(action, from: node, payloads: payloads)
    } catch {
      throw .instance(error)
    }
    try await settle(after: "'\(action)' of '\(node)'")
  }

  /// Goes back again and again, without drawing the screens between.
  ///
  /// - Parameter times: how often.
  /// - Returns: how often it could; less where something refused.
  /// - Throws: ``AppHarnessError/unsettled(after:limit:)`` where effects do not come to rest.
  @discardableResult
  public func back(times: Int) async throws(AppHarnessError) -> Int {
    await begin()
    let count = await app.back(times: times)
    try await settle(after: "going back \(times) times")
    return count
  }
}
